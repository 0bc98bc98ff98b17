<?php

/* See clients/t/ClientTest.pm.  Ids are strings. */
declare(strict_types=1);

require __DIR__ . '/checks.php';

use MongoDB\BSON\ObjectId;

function query(string $sql, array $parameters = []): array
{
    global $pdo;
    $statement = $pdo->prepare($sql);
    $statement->execute($parameters);
    return $statement->columnCount() ? $statement->fetchAll(PDO::FETCH_COLUMN) : [];
}

echo "1..13\n";
$errors = [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION];
$pdo = new PDO('pgsql:', null, null, $errors);

// the example in README.md
$id = (string) new ObjectId();
$pdo->prepare('INSERT INTO event (id, what) VALUES (?, ?)')->execute([$id, 'log in']);
$select = $pdo->prepare('SELECT id FROM event WHERE id = ANY (?)');
$select->execute(['{' . implode(',', [$id]) . '}']);
$found = $select->fetchColumn();

if ($found !== $id) {
    exit(1);
}

// with server-side and with emulated prepared statements
foreach (['text' => false, 'emulated' => true] as $how => $emulated) {
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
    checks($how, [
        'insert' => fn ($rows) =>
            array_map(fn ($row) => query('INSERT INTO made VALUES (?, ?, ?)', array_values($row)), $rows),
        'made' => fn () => query('SELECT id FROM made WHERE how = ? ORDER BY id', [$how]),
        'count' => function ($operator, $value) use ($how) {
            [$operator, $value] = is_array($value) ? ['= ANY', '{' . implode(',', $value) . '}'] : [$operator, $value];
            return query("SELECT count(*) FROM made WHERE how = ? AND id $operator (?)", [$how, $value])[0];
        },
        'late' => fn ($date) => query(
            'SELECT n FROM dated WHERE id > CAST(? AS timestamptz) ORDER BY n',
            [$date->format(DATE_ATOM)]
        ),
    ]);
    check(query('SELECT ?::objectid', [null]) === [null], "$how: NULL");
    check(query('SELECT ?::objectid', [new ObjectId($id)]) === [$id], "$how: an ObjectId");
}

check(json_encode([new ObjectId($id)]) === "[{\"\$oid\":\"$id\"}]" && json_encode([$id]) === "[\"$id\"]", 'JSON');
