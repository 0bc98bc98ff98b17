<?php

/* What the programs of this directory share; see t/ClientTest.pm.  WRONG is no id, and has to be an error. */
declare(strict_types=1);

use MongoDB\BSON\ObjectId;

const WRONG = ['zzz', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5];

function check(bool $condition, string $what): void
{
    echo $condition ? 'ok' : 'not ok', " - $what\n";
}

function raises(string $error, Closure $function): bool
{
    try {
        $function();
    } catch (Throwable $raised) {
        return $raised instanceof $error;
    }
    return false;
}

/**
 * The checks of every client, which gives these functions:
 *   insert(rows)               inserts rows of "made": how, id, hex
 *   made()                     the digits of these rows, in order
 *   count(operator, value)     the number of these rows of "made" by "id = value", or IN
 *   late(date)                 the n of the rows of "dated" with id > date, in order
 */
function checks(string $how, array $client): void
{
    preg_match_all('/^(\w+) (\d+)$/m', getenv('VECTORS'), $vectors);
    $ids = array_map(fn ($digits) => new ObjectId($digits), [...array_fill(0, 1000, null), ...$vectors[1]]);
    sort($ids);
    $client['insert'](array_map(fn ($id) => ['how' => $how, 'id' => $id, 'hex' => (string) $id], $ids));
    $made = $client['made']();
    check($made === array_map('strval', $ids), "$how: 1,000 ids come back equal");

    $right = array_diff($vectors[1], $made) === [];
    foreach (array_combine(...array_slice($vectors, 1)) as $digits => $seconds) {
        $id = new ObjectId($digits);
        $right = $right && $id->getTimestamp() === (int) $seconds
            && $client['count']('=', $id) === 1 && $client['count']('=', strtoupper($digits)) === 1;
    }
    check($right, "$how: vectors");

    $accepted = array_filter(WRONG, fn ($wrong) => !raises(Exception::class, fn () => $client['count']('=', $wrong)));
    check(
        $client['count']('=', $ids[500]) === 1 && $client['count']('IN', array_slice($ids, 500, 10)) === 10
            && $accepted === [],
        "$how: WHERE with an ObjectId"
    );

    check($client['late'](new DateTimeImmutable('2025-02-20 05:00 UTC')) === range(9990, 9999), "$how: id > a date");
}
