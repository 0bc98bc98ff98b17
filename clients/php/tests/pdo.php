<?php

/* See clients/t/ClientTest.pm.  Ids are strings. */
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

echo "1..14\n";
$pdo = new PDO('pgsql:');

// the example in README.md
$id = (string) new ObjectId();
$pdo->prepare('INSERT INTO event (id, what) VALUES (?, ?)')->execute([$id, 'log in']);
$select = $pdo->prepare('SELECT id FROM event WHERE id = ANY (?)');
$select->execute(['{' . implode(',', [$id]) . '}']);
$found = $select->fetchColumn();

check($found === $id, 'the example');

// with server-side and with emulated prepared statements
foreach (['text' => false, 'emulated' => true] as $how => $emulated) {
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
    checks($how, [
        'insert' => fn ($rows) => array_map(
            fn ($row) => query('INSERT INTO made VALUES (?, ?, ?) RETURNING id', ...array_values($row)),
            $rows
        ),
        'made' => fn () => query('SELECT id FROM made WHERE how = ? ORDER BY id', $how),
        'count' => fn ($operator, $value) => query(
            'SELECT count(*) FROM made WHERE how = ? AND id = ' . (is_array($value) ? 'ANY (?)' : '?'),
            $how,
            is_array($value) ? '{' . implode(',', $value) . '}' : $value
        )[0],
        'late' => fn ($date) =>
            query('SELECT n FROM dated WHERE id > CAST(? AS timestamptz) ORDER BY n', $date->format(DATE_ATOM)),
    ]);
    check(query('SELECT ?::objectid', null) === [null], "$how: NULL");
    check(query('SELECT ?::objectid', new ObjectId($id)) === [$id], "$how: an ObjectId");
}

check(json_encode([new ObjectId($id)]) === "[{\"\$oid\":\"$id\"}]" && json_encode([$id]) === "[\"$id\"]", 'JSON');
