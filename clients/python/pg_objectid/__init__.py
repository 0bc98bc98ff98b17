"""bson.ObjectId for PostgreSQL columns of type objectid: one module for each driver and ORM"""
