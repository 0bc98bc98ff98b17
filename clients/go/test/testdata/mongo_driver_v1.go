// Package bson gives the names of mongo-driver v2 to v1, for t/go.pl where v2 is
// not installed, such as on Debian.  ObjectID is a [12]byte in both.
package bson

import "go.mongodb.org/mongo-driver/bson/primitive"

type ObjectID = primitive.ObjectID

var NewObjectID, ObjectIDFromHex = primitive.NewObjectID, primitive.ObjectIDFromHex
