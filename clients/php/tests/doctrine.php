<?php

/* See clients/t/ClientTest.pm. */
declare(strict_types=1);

require 'Doctrine/ORM/autoload.php';
require __DIR__ . '/checks.php';

use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\Mapping as ORM;
use MongoDB\BSON\ObjectId;
use PgObjectId\Doctrine\ObjectIdType;

use Doctrine\Common\Collections\Collection;
use Doctrine\Common\Collections\Criteria;
use Doctrine\DBAL\ArrayParameterType;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Types\ConversionException;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Doctrine\ORM\Tools\SchemaTool;

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

/** A server default is quoted. */
#[ORM\Entity]
class ServerDefault
{
    #[ORM\Id, ORM\Column(type: 'objectid', options: ['default' => 'gen_objectid()'])]
    public string $id;
}

#[ORM\Entity, ORM\Table(name: 'remark')]
class Remark
{
    #[ORM\Id, ORM\Column(type: 'objectid')]
    public string $id;

    #[ORM\ManyToOne(targetEntity: Event::class), ORM\JoinColumn(name: 'event_id')]
    public ?Event $event;

    public function __construct(?Event $event)
    {
        $this->id = (string) new ObjectId();
        $this->event = $event;
    }
}

#[ORM\Entity, ORM\Table(name: 'board')]
class Board
{
    #[ORM\Id, ORM\Column(type: 'objectid')]
    public string $id;

    #[ORM\OneToMany(targetEntity: Note::class, mappedBy: 'board')]
    public Collection $notes;

    public function __construct()
    {
        $this->id = (string) new ObjectId();
    }
}

#[ORM\Entity, ORM\Table(name: 'note')]
class Note
{
    #[ORM\Id, ORM\Column(type: 'objectid')]
    public string $id;

    #[ORM\ManyToOne(targetEntity: Board::class, inversedBy: 'notes')]
    public Board $board;

    public function __construct(Board $board)
    {
        $this->id = (string) new ObjectId();
        $this->board = $board;
    }
}

// without a type: ids are strings
#[ORM\Entity, ORM\Table(name: 'event')]
class PlainEvent
{
    #[ORM\Id, ORM\Column(type: 'string', columnDefinition: 'objectid')]
    public string $id;
}

function connect(string $database): EntityManager
{
    $config = new Configuration();
    $config->setMetadataDriverImpl(new AttributeDriver([]));
    if (PHP_VERSION_ID >= 80400 && method_exists($config, 'enableNativeLazyObjects')) {
        $config->enableNativeLazyObjects(true);
    } else {
        $config->setProxyDir(sys_get_temp_dir());
        $config->setProxyNamespace('Proxies');
        $config->setAutoGenerateProxyClasses(Doctrine\ORM\Proxy\ProxyFactory::AUTOGENERATE_EVAL);
    }
    return new EntityManager(DriverManager::getConnection(['driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'),
        'port' => (int) getenv('PGPORT'), 'dbname' => $database, 'user' => getenv('PGUSER'),
        'password' => '']), $config);
}

echo "1..21\n";
$manager = connect(getenv('PGDATABASE'));
$connection = $manager->getConnection();

$event = new Event('log in');
$manager->persist($event);
$manager->flush();
$found = $manager->getRepository(Event::class)->findOneBy(['id' => $event->id]);

$sql = 'SELECT * FROM event WHERE id > CAST(? AS timestamptz)';
$rows = $connection->fetchAllAssociative($sql, [new DateTimeImmutable('-1 day')], ['datetimetz_immutable']);

$manager->clear();
$again = $manager->find(Event::class, $event->id);
if ($found !== $event || array_column($rows, 'id') !== [$event->id] || $again->id !== $event->id) {
    exit(1);
}
check($manager->find(PlainEvent::class, $event->id)->id === $event->id, 'no set-up: a string field');

checks('text', [
    'insert' => fn ($rows) => array_map(fn ($row) => $connection->insert('made', $row, ['id' => 'objectid']), $rows),
    'made' => fn () => array_map(
        fn ($digits) => $connection->convertToPHPValue($digits, 'objectid'),
        $connection->fetchFirstColumn('SELECT id FROM made ORDER BY id')
    ),
    'count' => function ($operator, $value) use ($connection) {
        $types = is_array($value) ? [ArrayParameterType::STRING] : [];
        $value = is_array($value) ? array_map('strval', $value) : $value;
        return $connection->fetchOne("SELECT count(*) FROM made WHERE id $operator (?)", [$value], $types);
    },
    'late' => fn ($date) => $connection->fetchFirstColumn(
        'SELECT n FROM dated WHERE id > CAST(? AS timestamptz) ORDER BY n',
        [$date],
        ['datetimetz_immutable']
    ),
]);

$empty = connect('empty');
$tool = new SchemaTool($empty);
$classes = [$empty->getClassMetadata(Event::class), $empty->getClassMetadata(Remark::class),
    $empty->getClassMetadata(Board::class), $empty->getClassMetadata(Note::class)];
emptyDatabase(
    function () use ($empty, $tool, $classes) {
        $empty->getConnection()->executeStatement('CREATE EXTENSION objectid');
        $tool->createSchema($classes);
        check($tool->getUpdateSchemaSql($classes) === [], 'a migration');
        [$sql] = $tool->getCreateSchemaSql([$empty->getClassMetadata(ServerDefault::class)]);
        check(str_contains($sql, "DEFAULT 'gen_objectid()'"), 'a server default is quoted');
    },
    function () use ($empty) {
        $event = new Event('log in');
        $orphan = new Remark(null);
        array_map([$empty, 'persist'], [$event, $orphan, new Remark($event)]);
        $empty->flush();
        $empty->clear();
        check($empty->find(Remark::class, $orphan->id)->event === null, 'text: NULL');
        $query = $empty->createQuery('SELECT r, e FROM Remark r JOIN r.event e WHERE e.id = :id');
        $remarks = $query->setParameter('id', $event->id)->getResult();
        try {
            $empty->find(Event::class, 'zzz');
        } catch (ConversionException) {
            check(true, 'an invalid id is what Symfony answers with 404');
        }
        check(count($remarks) === 1 && $remarks[0]->event->what === 'log in', 'a relation');
        $board = new Board();
        $notes = [new Note($board), new Note($board)];
        array_map([$empty, 'persist'], [$board, ...$notes]);
        $empty->flush();
        $empty->clear();
        $board = $empty->find(Board::class, strtoupper($board->id));
        $find = fn () => [
            $board->notes->matching(Criteria::create()->where(Criteria::expr()->eq('id', $notes[1]->id)))->count(),
            $board->notes->matching(Criteria::create()->where(Criteria::expr()->in('id', [$notes[1]->id])))->count(),
        ];
        $before = $find();
        $board->notes->toArray();
        check($before === [1, 1] && $find() === [1, 1], 'matching() before and after the collection is loaded');
        $id = new ObjectId();
        $empty->getConnection()->insert('event', ['id' => $id, 'what' => 'object'], ['id' => 'objectid']);
        check($empty->find(Event::class, $id)->id === (string) $id, 'an ObjectId is converted');
        return $empty->find(Event::class, $event->id)->id === $event->id;
    },
    function () use ($empty, $tool, $classes) {
        $tool->dropSchema($classes);
        $empty->getConnection()->executeStatement('DROP EXTENSION objectid');
    }
);
