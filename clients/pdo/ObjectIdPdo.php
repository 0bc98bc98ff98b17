<?php
/**
 * PDO: MongoDB\BSON\ObjectId for columns of type objectid.
 *
 * Writing needs no set-up: an ObjectId stands for its 24 digits where a string is
 * wanted, so it binds as it is.  Reading gives strings, and an array as one string.
 * These functions make ObjectIds of them, and arrays to bind.  PDO speaks the text
 * protocol; the 12 bytes, bound as PDO::PARAM_LOB, are a bytea and want a cast
 * (?::objectid) everywhere but in INSERT.
 */
declare(strict_types=1);

namespace ObjectIdPdo;

use MongoDB\BSON\ObjectId;

/** A field of type objectid; also for PDO::FETCH_FUNC. */
function read(?string $digits): ?ObjectId
{
    return $digits === null ? null : new ObjectId($digits);
}

/** A field of type objectid[]: {507f...,NULL}, where no element is ever quoted. */
function readArray(?string $array): ?array
{
    if ($array === null) {
        return null;
    }
    $elements = $array === '{}' ? [] : explode(',', substr($array, 1, -1));
    return array_map(fn ($element) => read($element === 'NULL' ? null : $element), $elements);
}

/** ObjectIds and nulls, to bind for an objectid[]. */
function writeArray(?array $ids): ?string
{
    return $ids === null ? null : '{' . implode(',', array_map(fn ($id) => $id ?? 'NULL', $ids)) . '}';
}
