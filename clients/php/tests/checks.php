<?php

/* Functions that the programs of clients/php/ share; see clients/t/ClientTest.pm. */
declare(strict_types=1);

use MongoDB\BSON\ObjectId;

function check(bool $condition, string $what): void
{
    echo $condition ? 'ok' : 'not ok', " - $what\n";
}

/** the seconds of VECTORS, by their digits */
function vectors(): array
{
    preg_match_all('/^(\w+) (\d+)$/m', getenv('VECTORS'), $vectors);
    return array_combine($vectors[1], $vectors[2]);
}

/** what is no id; it has to be an error */
const WRONG = ['zzz', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5];

/** 1,000 ids and the vectors, sorted */
function newIds(): array
{
    $ids = array_map(fn () => new ObjectId(), range(1, 1000));
    array_push($ids, ...array_map(fn ($digits) => new ObjectId($digits), array_keys(vectors())));
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
    $made = $client['made']();
    $digits = array_map('strval', $made);
    check($digits === array_map('strval', $ids), "$how: 1,000 ids come back equal");

    $made = array_combine($digits, $made);
    $right = true;
    foreach (vectors() as $digits => $seconds) {
        $id = is_string($made[$digits]) ? new ObjectId($made[$digits]) : $made[$digits];
        $right = $right && $id == new ObjectId($digits) && $id->getTimestamp() === (int) $seconds
            && $client['count']('=', $id) === 1 && $client['count']('=', strtoupper($digits)) === 1;
    }
    check($right, "$how: vectors");

    $accepted = array_filter(WRONG, function ($wrong) use ($client) {
        try {
            return [$client['count']('=', $wrong)];
        } catch (Exception) {
            return false;
        }
    });
    check(
        $client['count']('=', $ids[500]) === 1 && $client['count']('IN', array_slice($ids, 500, 10)) === 10
            && $accepted === [],
        "$how: WHERE with an ObjectId"
    );

    check($client['late'](new DateTimeImmutable('2025-02-20 05:00 UTC')) === range(9990, 9999), "$how: id > a date");
}

/**
 * In the database "empty", without the extension: the same connection migrates, uses the tables, reverts, and
 * migrates again.
 */
function emptyDatabase(Closure $migrate, Closure $use, Closure $revert): void
{
    for ($round = 0; $round < 2; $round++) {
        $migrate();
        check($use(), 'the first migration, and again');
        $revert();
    }
}
