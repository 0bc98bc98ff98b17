<?php

/* See t/ClientTest.pm. */
declare(strict_types=1);

require 'Doctrine/ORM/autoload.php';
require __DIR__ . '/checks.php';

use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\Mapping as ORM;
use MongoDB\BSON\ObjectId;
use PgObjectId\Doctrine\ObjectIdType;

use Doctrine\DBAL\ArrayParameterType;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Schema\Schema;
use Doctrine\DBAL\Types\ConversionException;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Doctrine\ORM\Tools\SchemaTool;
use PgObjectId\Doctrine\ObjectIdsType;

// the example in README.md
Type::addType('objectid', ObjectIdType::class);

#[ORM\Entity, ORM\Table(name: 'event')]
class Event
{
    #[ORM\Id, ORM\Column(type: 'objectid')]
    public string $id;

    #[ORM\Column(type: 'text')]
    public string $what;

    public function __construct(string $what)
    {
        $this->id = (string) new ObjectId();
        $this->what = $what;
    }
}

Type::addType('objectids', ObjectIdsType::class);

#[ORM\Entity]
class Note
{
    #[ORM\Id, ORM\Column(type: 'objectid')]
    public string $id;

    #[ORM\Column(type: 'objectids', options: ['default' => '{}'])]
    public array $likes = [];

    #[ORM\Column(type: 'objectids', nullable: true)]
    public ?array $none = null;

    public function __construct(
        #[ORM\ManyToOne(targetEntity: Note::class)]
        public ?Note $parent = null
    ) {
        $this->id = (string) new ObjectId();
    }
}

// without the type
#[ORM\Entity, ORM\Table(name: 'event')]
class PlainEvent
{
    #[ORM\Id, ORM\Column(type: 'text', columnDefinition: 'objectid')]
    public string $id;
}

#[ORM\Entity]
class PlainNote
{
    #[ORM\Id, ORM\Column(type: 'text', columnDefinition: 'objectid')]
    public string $id;

    #[ORM\Column(type: 'text', columnDefinition: 'objectid NOT NULL')]
    public string $tenant;

    #[ORM\ManyToOne(targetEntity: PlainNote::class)]
    public ?PlainNote $parent = null;
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
$connection = DriverManager::getConnection([
    'driver' => 'pdo_pgsql',
    'dbname' => getenv('PGDATABASE'),
    'user' => getenv('PGUSER'),
]);
$manager = new EntityManager($connection, $config);

echo "1..13\n";
$event = new Event('log in');
$manager->persist($event);
$manager->flush();
$found = $manager->getRepository(Event::class)->findOneBy(['id' => $event->id]);

$sql = 'SELECT * FROM event WHERE id > CAST(? AS timestamptz)';
$rows = $connection->fetchAllAssociative($sql, [new DateTimeImmutable('-1 day')], ['datetimetz_immutable']);

check($found === $event && array_column($rows, 'id') === [$event->id], 'the example');
check($manager->find(PlainEvent::class, $event->id)->id === $event->id, 'without the type: a string');

preg_match_all('/^(\w+) (\d+)$/m', getenv('VECTORS'), $vectors);
$ids = array_map(fn ($digits) => new ObjectId($digits), [...array_fill(0, 1000, null), ...$vectors[1]]);
sort($ids);
foreach ($ids as $id) {
    $connection->insert('made', ['how' => 'text', 'id' => $id, 'hex' => (string) $id], ['id' => 'objectid']);
}
$made = $connection->fetchFirstColumn('SELECT id FROM made ORDER BY id');
$made = array_map(fn ($digits) => $connection->convertToPHPValue($digits, 'objectid'), $made);
check($made === array_map('strval', $ids), 'text: 1,000 ids come back equal');

$count = fn ($id) => $connection->fetchOne('SELECT count(*) FROM made WHERE id = ?', [$id], ['objectid']);
$right = array_diff($vectors[1], $made) === [];
foreach (array_combine(...array_slice($vectors, 1)) as $digits => $seconds) {
    $id = new ObjectId($digits);
    $right = $right && $id->getTimestamp() === (int) $seconds && $count($id) === 1 && $count(strtoupper($digits)) === 1;
}
check($right, 'text: vectors');

$among = 'SELECT count(*) FROM made WHERE id IN (?)';
$ten = array_map('strval', array_slice($ids, 500, 10));
check(
    $count($ids[500]) === 1 && $connection->fetchOne($among, [$ten], [ArrayParameterType::STRING]) === 10
        && array_filter(WRONG, fn ($wrong) => !raises(ConversionException::class, fn () => $count($wrong))) === [],
    'text: WHERE with an ObjectId'
);

$late = 'SELECT n FROM dated WHERE id > CAST(? AS timestamptz) ORDER BY n';
$late = $connection->fetchFirstColumn($late, [new DateTimeImmutable('2025-02-20 05:00 UTC')], ['datetimetz_immutable']);
check($late === range(9990, 9999), 'text: id > a date');

// what is left to migrate after createSchema()
function difference(string $class): array
{
    global $manager;
    $tool = new SchemaTool($manager);
    $classes = [$manager->getClassMetadata($class)];
    $tool->createSchema($classes);
    return preg_grep("/$class/i", $tool->getUpdateSchemaSql($classes));
}

check(difference(Note::class) === [], 'a migration');
$connection->getDatabasePlatform()->registerDoctrineTypeMapping('objectid', 'text');
check(difference(PlainNote::class) === [], 'without the type: a migration');
$schema = new Schema();
$schema->createTable('quoted')->addColumn('id', 'objectid', ['default' => 'gen_objectid()']);
[$sql] = $schema->toSql($connection->getDatabasePlatform());
check(str_contains($sql, "DEFAULT 'gen_objectid()'"), 'a server default is quoted');

$new = new Note();
$notes = [new Note($new), new Note($new)];
$new->likes = [$notes[0]->id, null];
array_map([$manager, 'persist'], [$new, ...$notes]);
$manager->flush();
$manager->clear();
$note = $manager->find(Note::class, strtoupper($new->id));
check($note->parent === null && $note->none === null, 'text: NULL');
$find = fn ($id) => $connection->fetchFirstColumn('SELECT id FROM Note WHERE ? = ANY (likes)', [$id]);
$refused = fn ($wrong) => raises(
    ConversionException::class,
    fn () => $connection->convertToDatabaseValue([$wrong], 'objectids')
);
check(
    $note->likes === $new->likes && $find($notes[0]->id) === [$new->id]
        && $connection->convertToPHPValue("[0:1]={{$new->id},NULL}", 'objectids') === [$new->id, null]
        && array_filter([...WRONG, "$new->id,$new->id", 'NULL'], fn ($wrong) => !$refused($wrong)) === [],
    'text: arrays'
);
$query = $manager->createQuery('SELECT n, p FROM Note n JOIN n.parent p WHERE p.id = :id');
[$first, $second] = $query->setParameter('id', $new->id)->getResult();
check($first->parent === $note && $second->parent === $note, 'a relation');
$invalid = fn () => $manager->find(Event::class, 'zzz');
check(raises(ConversionException::class, $invalid), 'an invalid id is what Symfony answers with 404');
