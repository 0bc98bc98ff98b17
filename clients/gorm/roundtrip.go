//go:build ignore

// See t/ClientTest.pm.
package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"time"

	objectid "example.org/objectid/database-sql"
	"github.com/jackc/pgx/v5/pgconn"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Event has a string as its key, Made the ObjectID of clients/database-sql.
type Event struct {
	ID   string `gorm:"type:objectid;default:gen_objectid();primaryKey"`
	What string
}

type Made struct {
	How string            `gorm:"primaryKey"`
	ID  objectid.ObjectID `gorm:"type:objectid;primaryKey"`
	Hex string
}

type Document struct {
	ID   objectid.ObjectID `bson:"_id"`
	Bson []byte            `bson:"-"`
}

type Page struct {
	ID       objectid.ObjectID `gorm:"type:objectid;default:gen_objectid();primaryKey"`
	ParentID *objectid.ObjectID
	Parent   *Page
}

func (Event) TableName() string    { return "event" }
func (Made) TableName() string     { return "made" }
func (Document) TableName() string { return "document" }

func check(condition bool, what string) {
	if condition {
		fmt.Println("ok -", what)
	} else {
		fmt.Println("not ok -", what)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func one[T any](db *gorm.DB, query string, args ...any) (value T) {
	must(db.Raw(query, args...).Row().Scan(&value))
	return value
}

func example(db *gorm.DB) {
	// the example in docs/clients-go.md
	event := Event{What: "log in"}
	must(db.Create(&event).Error)

	var found Event
	must(db.First(&found, "id = ?", event.ID).Error)
	if found != event || len(found.ID) != 24 {
		must(errors.New("the example failed"))
	}

	var recent []Event
	since := time.Now().Add(-time.Hour)
	must(db.Find(&recent, "id > ?::timestamptz", since).Error)
}

// protocol runs the checks with prepared statements, or with the simple protocol.
func protocol(how string, simple bool) {
	db, err := gorm.Open(postgres.New(postgres.Config{PreferSimpleProtocol: simple}),
		&gorm.Config{Logger: logger.Discard})
	must(err)

	made := make([]Made, 1000)
	for i := range made {
		id := objectid.ObjectID{ObjectID: primitive.NewObjectID()}
		made[i] = Made{how, id, id.Hex()}
	}
	must(db.CreateInBatches(&made, 100).Error)
	sort.Slice(made, func(i, j int) bool { return made[i].Hex < made[j].Hex })
	var found []Made
	must(db.Where("how = ?", how).Order("id").Find(&found).Error)
	check(reflect.DeepEqual(found, made), how+": 1,000 ids come back equal")

	var generated []struct {
		ID      objectid.ObjectID
		Seconds int64
	}
	must(db.Table("generated").Find(&generated).Error)
	right := len(generated) == 1004
	for _, row := range generated {
		right = right && row.ID.Timestamp().Unix() == row.Seconds
	}
	check(right, how+": generated ids have the time of objectid_time()")

	null := one[sql.Null[objectid.ObjectID]](db, "SELECT ?::objectid", sql.Null[objectid.ObjectID]{})
	some := one[sql.Null[objectid.ObjectID]](db, "SELECT ?::objectid", sql.Null[objectid.ObjectID]{V: made[0].ID, Valid: true})
	check(!null.Valid && some.Valid && some.V == made[0].ID &&
		one[*objectid.ObjectID](db, "SELECT ?::objectid", (*objectid.ObjectID)(nil)) == nil, how+": NULL")

	var first []Made
	must(db.Where("id = ?", made[500].ID).Find(&first).Error)
	ten := make([]objectid.ObjectID, 10)
	for i := range ten {
		ten[i] = made[i].ID
	}
	check(reflect.DeepEqual(first, made[500:501]) &&
		one[int](db, "SELECT count(*) FROM made WHERE how = ? AND id < ?", how, made[500].ID) == 500 &&
		one[int](db, "SELECT count(*) FROM made WHERE id IN ?", ten) == 10, how+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := []int{9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999}
	var after, swapped []int
	must(db.Table("dated").Where("id > ?::timestamptz", since).Order("n").Pluck("n", &after).Error)
	must(db.Table("dated").Where("?::timestamptz < id", since).Order("n").Pluck("n", &swapped).Error)
	check(reflect.DeepEqual(after, hours) && reflect.DeepEqual(swapped, hours), how+": id > a date")

	var document, decoded, same Document
	must(db.First(&document).Error)
	written, err := bson.Marshal(document)
	must(err)
	must(bson.Unmarshal(document.Bson, &decoded))
	must(db.First(&same, "id = ?", decoded.ID).Error)
	check(bytes.Equal(written, document.Bson) && decoded.ID == document.ID && same.ID == document.ID, how+": BSON")
}

func main() {
	db, err := gorm.Open(postgres.Open(""), &gorm.Config{Logger: logger.Discard})
	must(err)
	example(db)

	var pgErr *pgconn.PgError
	err = db.First(&Event{}, "id = ?", "507f1f77bcf86cd79943901").Error
	check(errors.As(err, &pgErr) && pgErr.Code == "22P02", "an invalid id is SQLSTATE 22P02")

	protocol("prepared", false)
	protocol("simple", true)

	// a migration, the same migration again, and a relation
	must(db.AutoMigrate(&Page{}))
	must(db.AutoMigrate(&Page{}))
	root := Page{}
	must(db.Create(&root).Error)
	must(db.Create(&Page{ParentID: &root.ID}).Error)
	var child Page
	must(db.Preload("Parent").First(&child, "parent_id = ?", root.ID).Error)
	columns := one[int](db, "SELECT count(*) FROM pg_attribute WHERE attrelid = 'pages'::regclass AND atttypid = 'objectid'::regtype")
	check(!root.ID.IsZero() && child.Parent.ID == root.ID && root.ParentID == nil && columns == 2, "migrations, and a relation")
}
