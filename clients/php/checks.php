<?php
/* Functions that the programs of clients/php/ share; see t/ClientTest.pm. */
declare(strict_types=1);

use MongoDB\BSON\Document;
use MongoDB\BSON\ObjectId;

function check(bool $condition, string $what): void
{
    echo $condition ? 'ok' : 'not ok', " - $what\n";
}

/** 1,000 ids, sorted: the counter of the library may wrap */
function newIds(): array
{
    $ids = array_map(fn () => new ObjectId(), range(1, 1000));
    sort($ids);
    return $ids;
}

/**
 * The checks of every client, which gives these functions:
 *   insert(rows)               inserts rows of "made": how, id, hex
 *   made()                     the ids of these rows, in order
 *   generated(), document()    the rows of "generated" as [id, seconds], the row of "document" as [id, bson]
 *   count(operator, value)     the number of these rows of "made" by "id = value", <, or IN
 *   find(id)                   the number of rows of "document" with this id
 *   late(condition, date)      the n of the rows of "dated" with this condition, in order
 *   nothing()                  a NULL
 *   invalid(digits)            a query with these digits, which throws; code(exception) is its SQLSTATE
 */
function checks(string $how, array $client): void
{
    $ids = newIds();
    $client['insert'](array_map(fn ($id) => ['how' => $how, 'id' => $id, 'hex' => (string) $id], $ids));
    check(array_map('strval', $client['made']()) === array_map('strval', $ids), "$how: 1,000 ids come back equal");

    $rows = $client['generated']();
    $wrong = array_filter($rows, fn ($row) => (new ObjectId((string) $row[0]))->getTimestamp() !== $row[1]);
    check(count($rows) === 1004 && $wrong === [], "$how: generated ids have the time of objectid_time()");

    check($client['nothing']() === null, "$how: NULL");

    check(
        $client['count']('=', $ids[500]) === 1 && $client['count']('<', $ids[500]) === 500
        && $client['count']('IN', array_slice($ids, 0, 10)) === 10,
        "$how: WHERE with an ObjectId"
    );

    $date = new DateTimeImmutable('2025-02-20 05:00 UTC');
    $conditions = ['id > CAST(? AS timestamptz)', 'CAST(? AS timestamptz) < id'];
    $late = array_map(fn ($condition) => $client['late']($condition, $date), $conditions);
    check($late === [range(9990, 9999), range(9990, 9999)], "$how: id > a date");

    // mongodb 2 has a class for BSON
    [$id, $bytes] = $client['document']();
    $bytes = is_resource($bytes) ? stream_get_contents($bytes) : $bytes;
    $encode = fn ($id) => class_exists(Document::class) ? (string) Document::fromPHP(['_id' => $id]) : MongoDB\BSON\fromPHP(['_id' => $id]);
    $decoded = (class_exists(Document::class) ? Document::fromBSON($bytes)->toPHP() : MongoDB\BSON\toPHP($bytes))->_id;
    check(
        $encode(new ObjectId((string) $id)) === $bytes && (string) $decoded === (string) $id && $client['find']($decoded) === 1,
        "$how: BSON"
    );

    try {
        $client['invalid']('507f1f77bcf86cd79943901');
        check(false, 'an invalid id is SQLSTATE 22P02');
    } catch (Exception $exception) {
        check($client['code']($exception) === '22P02', 'an invalid id is SQLSTATE 22P02');
    }
}

/** In the database "empty", without the extension: the same connection migrates, uses the tables, reverts, and migrates again. */
function emptyDatabase(Closure $migrate, Closure $use, Closure $revert): void
{
    $right = true;
    for ($round = 0; $round < 2; $round++) {
        $migrate();
        $right = $use() && $right;
        $revert();
    }
    check($right, 'an empty database: migrate, use, revert, migrate again');
}
