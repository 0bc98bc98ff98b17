module example.org/objectid/clients/go/test

go 1.19

require (
	example.org/objectid/clients/go/pgx v1.0.0
	example.org/objectid/clients/go/sql v1.0.0
	github.com/jackc/pgx/v5 v5.5.0
	github.com/lib/pq v1.10.0
	go.mongodb.org/mongo-driver v1.8.4
	go.mongodb.org/mongo-driver/v2 v2.0.0
	gorm.io/driver/postgres v1.5.0
	gorm.io/gorm v1.25.0
)

replace example.org/objectid/clients/go/pgx => ../pgx

replace example.org/objectid/clients/go/sql => ../sql
