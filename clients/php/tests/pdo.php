<?php

/* See t/ClientTest.pm.  Ids are strings. */
declare(strict_types=1);

require __DIR__ . '/checks.php';

use MongoDB\BSON\ObjectId;

function query(string $sql, mixed ...$parameters): array
{
    global $pdo;
    $statement = $pdo->prepare($sql);
    $statement->execute($parameters);
    return $statement->fetchAll(PDO::FETCH_COLUMN);
}

echo "1..6\n";
$pdo = new PDO('pgsql:');

// the example in README.md
$id = (string) new ObjectId();
$pdo->prepare('INSERT INTO event (id, what) VALUES (?, ?)')->execute([$id, 'log in']);
$select = $pdo->prepare('SELECT id FROM event WHERE id = ANY (?)');
$select->execute(['{' . implode(',', [$id]) . '}']);
$found = $select->fetchColumn();

check($found === $id, 'the example');

$pdo->pgsqlCopyFromArray('list', ["1\t{{$id},NULL}"]);
check(query('SELECT ids FROM list') === ["{{$id},NULL}"], 'an array, COPY');
$date = (new DateTimeImmutable('2025-02-20 05:00 UTC'))->format(DATE_ATOM);
// with server-side and with emulated prepared statements
foreach ([false, true] as $emulated) {
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
    check(query('SELECT id FROM event WHERE id = ?', new ObjectId($id)) === [$id], 'an ObjectId');
    check(count(query('SELECT n FROM dated WHERE id > CAST(? AS timestamptz)', $date)) === 10, 'id > a date');
}
