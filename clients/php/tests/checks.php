<?php
/* Functions that the programs of clients/php/ share; see t/ClientTest.pm. */
declare(strict_types=1);

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
 *   count(operator, value)     the number of these rows of "made" by "id = value", or IN
 *   late(date)                 the n of the rows of "dated" with id > date, in order
 */
function checks(string $how, array $client): void
{
    $ids = newIds();
    $client['insert'](array_map(fn ($id) => ['how' => $how, 'id' => $id, 'hex' => (string) $id], $ids));
    check(array_map('strval', $client['made']()) === array_map('strval', $ids), "$how: 1,000 ids come back equal");

    check(
        $client['count']('=', $ids[500]) === 1 && $client['count']('IN', array_slice($ids, 0, 10)) === 10,
        "$how: WHERE with an ObjectId"
    );

    check($client['late'](new DateTimeImmutable('2025-02-20 05:00 UTC')) === range(9990, 9999), "$how: id > a date");
}

/** In the database "empty", without the extension: the same connection migrates, uses the tables, reverts, and migrates again. */
function emptyDatabase(Closure $migrate, Closure $use, Closure $revert): void
{
    for ($round = 0; $round < 2; $round++) {
        $migrate();
        check($use(), 'the first migration, and again');
        $revert();
    }
}
