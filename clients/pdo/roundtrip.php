<?php
/* See t/ClientTest.pm. */
declare(strict_types=1);

require __DIR__ . '/ObjectIdPdo.php';

use MongoDB\BSON\Document;
use MongoDB\BSON\ObjectId;

use function ObjectIdPdo\read;
use function ObjectIdPdo\readArray;
use function ObjectIdPdo\writeArray;

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

/** ObjectId to BSON and back; mongodb 2 has a class for it */
function encode(ObjectId $id): string
{
    return class_exists(Document::class) ? (string) Document::fromPHP(['_id' => $id]) : MongoDB\BSON\fromPHP(['_id' => $id]);
}

function decode(string $bson): ObjectId
{
    return (class_exists(Document::class) ? Document::fromBSON($bson)->toPHP() : MongoDB\BSON\toPHP($bson))->_id;
}

function query(string $sql, array $parameters = []): PDOStatement
{
    global $pdo;
    $statement = $pdo->prepare($sql);
    $statement->execute($parameters);
    return $statement;
}

function ids(string $sql, array $parameters = []): array
{
    return query($sql, $parameters)->fetchAll(PDO::FETCH_FUNC, 'ObjectIdPdo\read');
}

$pdo = new PDO('pgsql:', null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);

// the example in docs/clients-others.md
$id = new ObjectId();
$pdo->prepare('INSERT INTO event (id, what) VALUES (?, ?)')->execute([$id, 'log in']);
$select = $pdo->prepare('SELECT id FROM event WHERE id = ?');
$select->execute([$id]);
$found = read($select->fetchColumn());
if ($found != $id) {
    exit(1);
}

// with server-side and with emulated prepared statements
foreach ([false, true] as $emulated) {
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
    $how = $emulated ? 'emulated' : 'text';

    $ids = newIds();
    $insert = $pdo->prepare('INSERT INTO made VALUES (?, ?, ?)');
    foreach ($ids as $i) {
        $insert->execute([$how, $i, (string) $i]);
    }
    check(ids('SELECT id FROM made WHERE how = ? ORDER BY id', [$how]) == $ids, "$how: 1,000 ids come back equal");

    $rows = query('SELECT id, seconds FROM generated')->fetchAll(PDO::FETCH_NUM);
    $wrong = array_filter($rows, fn ($row) => read($row[0])->getTimestamp() !== $row[1]);
    check(count($rows) === 1004 && $wrong === [], "$how: generated ids have the time of objectid_time()");

    check(ids('SELECT ?::objectid', [null]) === [null], "$how: NULL");

    $right = true;
    foreach ([array_slice($ids, 0, 3), [$ids[0], null], [], null] as $array) {
        $back = query('INSERT INTO list SELECT count(*), ?::objectid[] FROM list RETURNING ids', [writeArray($array)])->fetchColumn();
        $right = $right && readArray($back) == $array && ($array === null) === ($back === null);
    }
    check($right, "$how: arrays");

    check(
        ids('SELECT id FROM made WHERE id = ?', [$ids[500]]) == [$ids[500]]
        && query('SELECT count(*) FROM made WHERE how = ? AND id < ?', [$how, $ids[500]])->fetchColumn() === 500
        && query('SELECT count(*) FROM made WHERE id = ANY(?)', [writeArray(array_slice($ids, 0, 10))])->fetchColumn() === 10,
        "$how: WHERE with an ObjectId"
    );

    // PDO sends a date as a string, and the server takes a string compared with an id for an id, unless it is cast
    $date = (new DateTimeImmutable('2025-02-20 05:00 UTC'))->format(DATE_ATOM);
    $late = array_map(
        fn ($condition) => query("SELECT n FROM dated WHERE $condition ORDER BY n", [$date])->fetchAll(PDO::FETCH_COLUMN),
        ['id > ?::timestamptz', '?::timestamptz < id']
    );
    check($late === [range(9990, 9999), range(9990, 9999)], "$how: id > a date");

    [$kept, $bytes] = query('SELECT id, bson FROM document')->fetch(PDO::FETCH_NUM);
    $bytes = stream_get_contents($bytes);
    $found = decode($bytes);
    check(
        encode(read($kept)) === $bytes && $found == read($kept)
        && query('SELECT count(*) FROM document WHERE id = ?', [$found])->fetchColumn() === 1,
        "$how: BSON"
    );
}
$pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, false);

// the 12 bytes: a bytea, assigned in INSERT and cast elsewhere
$ids = newIds();
$insert = $pdo->prepare("INSERT INTO made VALUES ('bytes', ?, ?)");
foreach ($ids as $i) {
    $insert->bindValue(1, hex2bin((string) $i), PDO::PARAM_LOB);
    $insert->bindValue(2, (string) $i);
    $insert->execute();
}
$select = $pdo->prepare('SELECT id FROM made WHERE id = ?::objectid');
$select->bindValue(1, hex2bin((string) $ids[500]), PDO::PARAM_LOB);
$select->execute();
check(
    ids("SELECT id FROM made WHERE how = 'bytes' ORDER BY id") == $ids && read($select->fetchColumn()) == $ids[500],
    'no set-up: the 12 bytes as PDO::PARAM_LOB'
);

// COPY is in text format: a row is a line
$ids = newIds();
$pdo->pgsqlCopyFromArray('made', array_map(fn ($i) => "text COPY\t$i\t$i", $ids));
check(ids("SELECT id FROM made WHERE how = 'text COPY' ORDER BY id") == $ids, 'text COPY: 1,000 ids come back equal');

try {
    query('SELECT ?::objectid', ['507f1f77bcf86cd79943901']);
    check(false, 'an invalid id is SQLSTATE 22P02');
} catch (PDOException $exception) {
    check($exception->getCode() === '22P02', 'an invalid id is SQLSTATE 22P02');
}
