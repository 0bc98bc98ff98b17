module example.org/objectid/pgx-v4

go 1.18

require (
	github.com/jackc/pgtype v1.10.0
	github.com/jackc/pgx/v4 v4.15.0
	go.mongodb.org/mongo-driver v1.8.4
)
