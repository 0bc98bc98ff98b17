<?php

/**
 * PDO: MongoDB\BSON\ObjectId for columns of type objectid.
 *
 * To write an id, bind the ObjectId itself: its string form is the 24 digits.  These functions
 * convert results to ObjectIds, and arrays to strings that can be bound.
 */

declare(strict_types=1);

namespace PgObjectId;

use MongoDB\BSON\ObjectId;

/** A field of type objectid; also for PDO::FETCH_FUNC. */
function read(?string $digits): ?ObjectId
{
    return $digits === null ? null : new ObjectId($digits);
}

/** A field of type objectid[]: {507f...,NULL}. The server never quotes an element. */
function readArray(?string $array): ?array
{
    if ($array === null) {
        return null;
    }
    $elements = $array === '{}' ? [] : explode(',', substr($array, 1, -1));
    return array_map(fn ($element) => read($element === 'NULL' ? null : $element), $elements);
}

/** Converts ObjectIds, their digits and nulls to a string to bind for an objectid[]; anything else throws. */
function writeArray(?array $ids): ?string
{
    $element = fn ($id) => $id === null ? 'NULL' : (string) ($id instanceof ObjectId ? $id : new ObjectId($id));
    return $ids === null ? null : '{' . implode(',', array_map($element, $ids)) . '}';
}
