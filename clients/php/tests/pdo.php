<?php

/* See clients/t/ClientTest.pm. */
declare(strict_types=1);

require __DIR__ . '/checks.php';

use MongoDB\BSON\ObjectId;
use function PgObjectId\read;
use function PgObjectId\readArray;
use function PgObjectId\writeArray;

function query(string $sql, array $parameters = []): PDOStatement
{
    global $pdo;
    $statement = $pdo->prepare($sql);
    $statement->execute($parameters);
    return $statement;
}

function ids(string $sql, array $parameters = []): array
{
    return query($sql, $parameters)->fetchAll(PDO::FETCH_FUNC, 'PgObjectId\read');
}

echo "1..17\n";
$errors = [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION];
$pdo = new PDO('pgsql:', null, null, $errors);

// the example in docs/clients-php.md
$pdo->exec('CREATE EXTENSION IF NOT EXISTS objectid');
$pdo->exec('CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)');

$id = new ObjectId();
$pdo->prepare('INSERT INTO event (id, what) VALUES (?, ?)')->execute([$id, 'log in']);
$select = $pdo->prepare('SELECT id FROM event WHERE id = ?');
$select->execute([$id]);
$found = read($select->fetchColumn());

$select = $pdo->prepare('SELECT array_agg(id) FROM event WHERE id = ANY (?)');
$select->execute([writeArray([$id])]);
$several = readArray($select->fetchColumn());

if ($several != [$found] || $found != $id) {
    exit(1);
}

// with server-side and with emulated prepared statements
foreach ([false, true] as $emulated) {
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
    $how = $emulated ? 'emulated' : 'text';
    checks($how, [
        'insert' => fn ($rows) =>
            array_map(fn ($row) => query('INSERT INTO made VALUES (?, ?, ?)', array_values($row)), $rows),
        'made' => fn () => ids('SELECT id FROM made WHERE how = ? ORDER BY id', [$how]),
        'count' => function ($operator, $value) use ($how) {
            [$operator, $value] = is_array($value) ? ['= ANY', writeArray($value)] : [$operator, $value];
            return query("SELECT count(*) FROM made WHERE how = ? AND id $operator (?)", [$how, $value])->fetchColumn();
        },
        'late' => fn ($date) => query(
            'SELECT n FROM dated WHERE id > CAST(? AS timestamptz) ORDER BY n',
            [$date->format(DATE_ATOM)]
        )->fetchAll(PDO::FETCH_COLUMN),
    ]);

    check(ids('SELECT ?::objectid', [null]) === [null], "$how: NULL");

    $right = true;
    foreach ([[$id, new ObjectId()], [$id, null], [], null] as $array) {
        $insert = 'INSERT INTO list SELECT count(*), ?::objectid[] FROM list RETURNING ids';
        $back = query($insert, [writeArray($array)])->fetchColumn();
        $right = $right && readArray($back) == $array && ($array === null) === ($back === null);
    }
    check($right, "$how: arrays");
}
$pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, false);

// what comes back is what went in, or an error: never another number of elements
$right = readArray(writeArray([strtoupper((string) $id), null])) == [$id, null];
$others = ["$id,$id", 'NULL', 'null', '', ' ', '{}', '"', '\\', "$id ", "{$id}\n", 'a,b',
    1, 1.5, false, [], [$id], new stdClass()];
foreach ($others as $other) {
    try {
        writeArray([$id, $other]);
        $right = false;
    } catch (Throwable $error) {
    }
}
check($right, 'an element that is no id is an error');

// the 12 bytes: a bytea, which needs a cast
$select = $pdo->prepare('SELECT ?::objectid');
$select->bindValue(1, hex2bin((string) $id), PDO::PARAM_LOB);
$select->execute();
check(read($select->fetchColumn()) == $id, 'no set-up: the 12 bytes as PDO::PARAM_LOB');

check(json_encode([$id]) === "[{\"\$oid\":\"$id\"}]" && json_encode([(string) $id]) === "[\"$id\"]", 'JSON');

$pdo = new PDO('pgsql:dbname=empty', null, null, $errors);
emptyDatabase(
    fn () => $pdo->exec('CREATE EXTENSION objectid; CREATE TABLE event (id objectid)'),
    fn () => ids('INSERT INTO event VALUES (?) RETURNING id', [$id]) == [$id],
    fn () => $pdo->exec('DROP TABLE event; DROP EXTENSION objectid')
);
