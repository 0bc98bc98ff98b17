module example.org/objectid/clients/go/sql

go 1.18

require go.mongodb.org/mongo-driver v1.8.4
