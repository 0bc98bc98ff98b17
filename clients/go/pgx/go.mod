module example.org/objectid/clients/go/pgx

go 1.22

require github.com/jackc/pgx/v5 v5.5.0
