<?php
/* See t/ClientTest.pm. */
declare(strict_types=1);

require 'Doctrine/ORM/autoload.php';

use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Exception\DriverException;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\Mapping as ORM;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Doctrine\ORM\Tools\SchemaTool;
use MongoDB\BSON\Document;
use MongoDB\BSON\ObjectId;

function check(bool $condition, string $what): void
{
    echo $condition ? 'ok' : 'not ok', " - $what\n";
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

// the example in docs/clients-others.md
#[ORM\Entity, ORM\Table(name: 'event')]
class Event
{
    #[ORM\Id, ORM\Column(type: 'string', columnDefinition: 'objectid')]
    public string $id;

    #[ORM\Column(type: 'text')]
    public string $what;

    public function __construct(string $what)
    {
        $this->id = (string) new ObjectId();
        $this->what = $what;
    }
}

#[ORM\Entity, ORM\Table(name: 'remark')]
class Remark
{
    #[ORM\Id, ORM\Column(type: 'string', columnDefinition: 'objectid')]
    public string $id;

    #[ORM\ManyToOne(targetEntity: Event::class), ORM\JoinColumn(name: 'event_id', columnDefinition: 'objectid')]
    public ?Event $event;

    #[ORM\Column(type: 'text')]
    public string $body;

    public function __construct(?Event $event, string $body)
    {
        $this->id = (string) new ObjectId();
        $this->event = $event;
        $this->body = $body;
    }
}

$config = new Configuration();
$config->setMetadataDriverImpl(new AttributeDriver([]));
if (PHP_VERSION_ID >= 80400 && method_exists($config, 'enableNativeLazyObjects')) {
    $config->enableNativeLazyObjects(true);
} else {
    $config->setProxyDir(sys_get_temp_dir());
    $config->setProxyNamespace('Proxies');
    $config->setAutoGenerateProxyClasses(Doctrine\ORM\Proxy\ProxyFactory::AUTOGENERATE_EVAL);
}
$connection = DriverManager::getConnection(['driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'), 'port' => (int) getenv('PGPORT'),
    'dbname' => getenv('PGDATABASE'), 'user' => getenv('PGUSER'), 'password' => '']);
$connection->getDatabasePlatform()->registerDoctrineTypeMapping('objectid', 'string');
$manager = new EntityManager($connection, $config);

$event = new Event('log in');
$manager->persist($event);
$manager->flush();
$found = $manager->getRepository(Event::class)->findOneBy(['id' => $event->id]);

$sql = 'SELECT * FROM event WHERE id > CAST(? AS timestamptz)';
$rows = $connection->fetchAllAssociative($sql, [new DateTimeImmutable('-1 day')], ['datetimetz_immutable']);

if ($found !== $event || array_column($rows, 'id') !== [$event->id]) {
    exit(1);
}

// a migration: the SQL that the schema tool generates, and the columns that it reads back
$tool = new SchemaTool($manager);
$tool->createSchema([$manager->getClassMetadata(Remark::class)]);
$types = $connection->fetchFirstColumn("SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 'remark'::regclass AND attnum > 0");
sort($types);
$columns = $connection->createSchemaManager()->listTableColumns('remark');
check($types === ['objectid', 'objectid', 'text'] && count($columns) === 3, 'a migration');

$manager->persist(new Remark($event, 'first'));
$manager->persist(new Remark($event, 'second'));
$manager->persist($orphan = new Remark(null, 'of none'));
$manager->flush();
$manager->clear();
$remarks = $manager->createQuery('SELECT r, e FROM Remark r JOIN r.event e WHERE e.id = :id ORDER BY r.id')
    ->setParameter('id', new ObjectId($event->id))->getResult();
check(
    array_map(fn ($remark) => $remark->body, $remarks) === ['first', 'second'] && $remarks[0]->event->what === 'log in'
    && $manager->find(Remark::class, $remarks[1]->id)->event === $remarks[0]->event,
    'a relation'
);
check($manager->find(Remark::class, $orphan->id)->event === null, 'text: NULL');

// DBAL
$ids = array_map(fn () => new ObjectId(), range(1, 1000));
sort($ids);
$digits = array_map('strval', $ids);
foreach ($ids as $id) {
    $connection->insert('made', ['how' => 'text', 'id' => $id, 'hex' => (string) $id]);
}
check($connection->fetchFirstColumn('SELECT id FROM made ORDER BY id') === $digits, 'text: 1,000 ids come back equal');

$rows = $connection->fetchAllNumeric('SELECT id, seconds FROM generated');
$wrong = array_filter($rows, fn ($row) => (new ObjectId($row[0]))->getTimestamp() !== $row[1]);
check(count($rows) === 1004 && $wrong === [], 'text: generated ids have the time of objectid_time()');

$strings = class_exists(Doctrine\DBAL\ArrayParameterType::class) ? Doctrine\DBAL\ArrayParameterType::STRING : 102;
check(
    $connection->fetchOne('SELECT hex FROM made WHERE id = ?', [$ids[500]]) === $digits[500]
    && $connection->fetchOne('SELECT count(*) FROM made WHERE id < ?', [$ids[500]]) === 500
    && $connection->fetchOne('SELECT count(*) FROM made WHERE id IN (?)', [array_slice($digits, 0, 10)], [$strings]) === 10,
    'text: WHERE with an ObjectId'
);

$date = new DateTimeImmutable('2025-02-20 05:00 UTC');
$late = array_map(
    fn ($condition) => $connection->fetchFirstColumn("SELECT n FROM dated WHERE $condition ORDER BY n", [$date], ['datetimetz_immutable']),
    ['id > CAST(? AS timestamptz)', 'CAST(? AS timestamptz) < id']
);
check($late === [range(9990, 9999), range(9990, 9999)], 'text: id > a date');

[$kept, $bytes] = $connection->fetchNumeric('SELECT id, bson FROM document');
$bytes = stream_get_contents($bytes);
$found = decode($bytes);
check(
    encode(new ObjectId($kept)) === $bytes && (string) $found === $kept
    && $connection->fetchOne('SELECT count(*) FROM document WHERE id = ?', [$found]) === 1,
    'text: BSON'
);

try {
    $manager->find(Event::class, '507f1f77bcf86cd79943901');
    check(false, 'an invalid id is SQLSTATE 22P02');
} catch (DriverException $exception) {
    check($exception->getSQLState() === '22P02', 'an invalid id is SQLSTATE 22P02');
}
