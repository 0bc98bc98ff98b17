// See clients/t/ClientTest.pm.
package gorm

import (
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	. "example.org/objectid/clients/go/test"
	"gorm.io/gorm/logger"
)

import (
	objectid "example.org/objectid/clients/go/sql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Event and Page have the ObjectID of clients/go/sql as their key, Text a string.
type Event struct {
	ID   objectid.ObjectID `gorm:"default:gen_objectid()"`
	What string
}

type Text struct {
	ID   string `gorm:"type:objectid;default:gen_objectid()"`
	What string
}

type Page struct {
	ID       objectid.ObjectID `gorm:"default:gen_objectid()"`
	ParentID *objectid.ObjectID
	Parent   *Page
	Owner    objectid.ObjectID
}

func (Event) TableName() string { return "event" }
func (Text) TableName() string  { return "event" }

func open(source string, simple bool) *gorm.DB {
	db, err := gorm.Open(postgres.New(postgres.Config{DSN: source, PreferSimpleProtocol: simple}), &gorm.Config{Logger: logger.Discard})
	Must(err)
	return db
}

func client(how string, db *gorm.DB) Client[objectid.ObjectID] {
	placeholders := strings.NewReplacer("$1", "?", "$2", "?", "$3", "?")
	return Client[objectid.ObjectID]{
		How: how,
		Query: func(query string, args ...any) Rows {
			rows, err := db.Raw(placeholders.Replace(query), args...).Rows()
			Must(err)
			return rows
		},
		// GORM writes a slice as (?, ?)
		List: func(ids []objectid.ObjectID) any {
			digits := make([]string, len(ids))
			for i, id := range ids {
				digits[i] = id.Hex()
			}
			return "{" + strings.Join(digits, ",") + "}"
		},
	}
}

func example(db *gorm.DB) {
	// the example in README.md
	must := Must
	event := Event{What: "log in"}
	must(db.Create(&event).Error)

	var found Event
	must(db.First(&found, event.ID).Error)
	Assert(found == event)

	var listed []Event
	must(db.Find(&listed, []objectid.ObjectID{event.ID}).Error)
	Assert(len(listed) == 1)

	var recent []Event
	since := time.Now().Add(-time.Hour)
	must(db.Find(&recent, "id > ?::timestamptz", since).Error)

	// a string is a condition in SQL for First
	var text Text
	Check(db.First(&text, event.ID.Hex()).Error != nil, "First() with a string is an error")
	must(db.First(&text, "id = ?", event.ID.Hex()).Error)
	Check(text == Text{event.ID.Hex(), "log in"}, "no set-up: string in, string out")

	// digits of a URL, in any case
	upper := strings.ToUpper(event.ID.Hex())
	var id objectid.ObjectID
	var again Text
	must(id.UnmarshalText([]byte(upper)))
	must(db.First(&again, "id = ?", upper).Error)
	Check(id == event.ID && again == text, "upper-case digits")
}

func Test(*testing.T) {
	fmt.Println("1..19")
	db := open("", false)
	example(db)

	ids := Standard(client("prepared", db))
	Standard(client("simple", open("", true)))

	type null = sql.Null[objectid.ObjectID]
	Check(Read[null](client("", db).Query("SELECT $1::objectid", null{}))[0] == null{}, "sql.Null")
	var in []objectid.ObjectID
	Must(db.Raw("SELECT id FROM made WHERE id IN ? ORDER BY id", ids[500:510]).Scan(&in).Error)
	Check(reflect.DeepEqual(in, ids[500:510]), "IN with a slice")

	// a migration, the same migration again, and a relation
	for i := 0; i < 2; i++ {
		Must(db.AutoMigrate(&Page{}))
	}
	var root Page
	Must(db.Create(&root).Error)
	Must(db.Create(&Page{ParentID: &root.ID}).Error)
	var child Page
	Must(db.Preload("Parent").First(&child, "parent_id = ?", root.ID).Error)
	find := func(query *gorm.DB, conditions ...any) []Page {
		var pages []Page
		Must(query.Find(&pages, conditions...).Error)
		return pages
	}
	list := []objectid.ObjectID{root.ID, {}}
	rest := find(db.Not(list))
	Check(len(find(db, list)) == 1 && len(find(db, list[1:])) == 0 && len(find(db, objectid.ObjectID{})) == 0 && len(find(db, list[:0])) == 2 &&
		len(rest) == 1 && rest[0].ID == child.ID && len(find(db, map[string]any{"id": list})) == 1, "a list, and an id of zeros")
	columns := client("", db).Query("SELECT count(*) FROM pg_attribute WHERE attrelid = 'pages'::regclass AND atttypid = 'objectid'::regtype")
	Check(!root.ID.IsZero() && child.Parent.ID == root.ID && root.ParentID == nil && Read[int](columns)[0] == 3, "migrations, and a relation")

	empty := open("dbname=empty", false)
	connections, err := empty.DB()
	Must(err)
	FirstMigration(client("", empty), func() {
		connections.SetMaxIdleConns(0)
		connections.SetMaxIdleConns(2)
	})
}
