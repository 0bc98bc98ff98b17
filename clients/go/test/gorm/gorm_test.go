// See t/ClientTest.pm.
package gorm

import (
	"database/sql"
	"fmt"
	"testing"

	objectid "example.org/objectid/clients/go/sql"
	. "example.org/objectid/clients/go/test"
	"github.com/lib/pq"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

// Event and Page have the ObjectID of the module sql as their key, Text a string.
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
	Owner    objectid.ObjectID `gorm:"default:tenant()"`
	Path     string            `gorm:"unique"`
	Likes    pq.StringArray    `gorm:"type:objectid[];default:no_ids()"`
}

func (Event) TableName() string { return "event" }
func (Text) TableName() string  { return "event" }

func open(source string) *gorm.DB {
	db, err := gorm.Open(postgres.Open(source), &gorm.Config{Logger: logger.Discard})
	Must(err)
	return db
}

func example(db *gorm.DB) {
	// the example in README.md
	must := Must
	event := Event{What: "log in"}
	must(db.Create(&event).Error)

	var found Event
	must(db.First(&found, event.ID).Error)
	Assert(found == event)

	// a string is a condition in SQL for First
	var text Text
	Check(db.First(&text, event.ID.Hex()).Error != nil, "First() with a string is an error")
	must(db.First(&text, "id = ?", event.ID.Hex()).Error)
	Check(text == Text{event.ID.Hex(), "log in"}, "no set-up: string in, string out")
}

func one[V any](db *gorm.DB, query string) (value V) {
	Must(db.Raw("SELECT " + query).Row().Scan(&value))
	return value
}

// pages checks migrations, a relation, and what GORM does with lists and NULL.
func pages(db *gorm.DB) {
	changes := func() string {
		return one[string](db, "string_agg(xmin::text, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'pages'::regclass")
	}
	Must(db.Exec("CREATE FUNCTION tenant() RETURNS objectid RETURN '507f1f77bcf86cd799439011'::objectid").Error)
	Must(db.Exec("CREATE FUNCTION no_ids() RETURNS objectid[] RETURN '{}'::objectid[]").Error)
	Must(db.AutoMigrate(&Page{}))
	before := changes()
	Must(db.AutoMigrate(&Page{}))
	Check(changes() == before, "a second migration changes nothing")
	root := Page{Path: "/"}
	Must(db.Create(&root).Error)
	Must(db.Create(&Page{ParentID: &root.ID, Path: "/child", Likes: pq.StringArray{root.ID.Hex()}}).Error)
	var child Page
	Must(db.Preload("Parent").First(&child, "parent_id = ?", root.ID).Error)
	columns := one[int](db, "count(*) FROM pg_attribute WHERE attrelid = 'pages'::regclass AND atttypid = 'objectid'::regtype")
	Check(!root.ID.IsZero() && child.Parent.ID == root.ID && root.ParentID == nil && columns == 3 &&
		root.Owner.Hex() == "507f1f77bcf86cd799439011", "migrations, a relation, and a constant")

	find := func(query *gorm.DB, conditions ...any) []Page {
		var pages []Page
		Must(query.Order("id").Find(&pages, conditions...).Error)
		return pages
	}
	list := []objectid.ObjectID{root.ID, {}}
	rest := find(db.Not(list))
	Check(len(find(db, list)) == 1 && len(find(db, list[1:])) == 0 && len(find(db, objectid.ObjectID{})) == 0 &&
		len(rest) == 1 && rest[0].ID == child.ID && len(find(db, map[string]any{"id": list})) == 1, "a list, and an id of zeros")

	var parents []sql.Null[objectid.ObjectID]
	Must(db.Model(&Page{}).Order("id").Pluck("parent_id", &parents).Error)
	Must(db.Model(&root).Update("owner", nil).Error)
	saved := find(db, root.ID)[0]
	Must(db.Save(&saved).Error)
	Check(len(parents) == 2 && !parents[0].Valid && parents[1].V == root.ID &&
		len(find(db, "owner = ?", objectid.ObjectID{})) == 1, "NULL in Pluck, and as zeros")

	var id objectid.ObjectID
	first := db.Model(&Page{}).Select("id").Where("path = '/'")
	Check(first.Session(&gorm.Session{}).Scan(&id).Error != nil && first.Row().Scan(&id) == nil && id == root.ID, "one id")
	list[1] = child.ID
	var both []objectid.ObjectID
	Must(db.Raw("SELECT array_agg(id ORDER BY id) FROM pages WHERE id = ANY (?)", pq.Array(list)).Row().Scan(pq.Array(&both)))
	liked := find(db, "? = ANY (likes)", root.ID)
	Check(len(both) == 2 && both[0] == root.ID && both[1] == child.ID && len(root.Likes) == 0 &&
		len(liked) == 1 && liked[0].Likes[0] == root.ID.Hex(), "arrays")

	// the ids of the second and of the third row are those of the first and of the second element
	skipped := []Page{{Path: "/"}, {Path: "/a"}, {Path: "/b"}}
	Must(db.Clauses(clause.OnConflict{DoNothing: true}).Create(&skipped).Error)
	Check(skipped[0].ID == find(db, "path = '/a'")[0].ID, "OnConflict")
}

func Test(*testing.T) {
	fmt.Println("1..9")
	db := open("")
	example(db)

	pages(db)
}
