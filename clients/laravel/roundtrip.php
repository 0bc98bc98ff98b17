<?php
/* See t/ClientTest.pm. */
declare(strict_types=1);

require 'Illuminate/Database/autoload.php';

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\QueryException;
use Illuminate\Database\Schema\Grammars\PostgresGrammar;
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

$manager = new DB();
$manager->addConnection(['driver' => 'pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT'),
    'database' => getenv('PGDATABASE'), 'username' => getenv('PGUSER'), 'password' => '', 'charset' => 'utf8']);
$manager->setEventDispatcher(new Illuminate\Events\Dispatcher());
$manager->setAsGlobal();
$manager->bootEloquent();

// the example in docs/clients-others.md
class Event extends Model
{
    public $incrementing = false;
    protected $keyType = 'string';

    public $timestamps = false;
    protected $table = 'event';
    protected $fillable = ['what'];

    public function remarks()
    {
        return $this->hasMany(Remark::class);
    }

    protected static function booted(): void
    {
        static::creating(fn ($event) => $event->id ??= (string) new ObjectId());
    }
}

$yesterday = new DateTimeImmutable('-1 day');

$event = Event::create(['what' => 'log in']);
$found = Event::find($event->id);
$late = Event::whereRaw('id > ?::timestamptz', [$yesterday->format(DATE_ATOM)])->get();

if (!$found->is($event) || !$late->contains($event)) {
    exit(1);
}

class Remark extends Event
{
    protected $table = 'remark';
    protected $fillable = ['body'];

    public function event()
    {
        return $this->belongsTo(Event::class);
    }
}

// a migration
PostgresGrammar::macro('typeObjectid', fn () => 'objectid');

DB::schema()->create('remark', function ($table) {
    $table->addColumn('objectid', 'id')->primary();
    $table->addColumn('objectid', 'event_id')->nullable();
    $table->foreign('event_id')->references('id')->on('event');
    $table->text('body');
});
$types = DB::table('pg_attribute')->whereRaw("attrelid = 'remark'::regclass AND attnum > 0")
    ->selectRaw('atttypid::regtype::text AS type')->orderBy('attnum')->pluck('type');
check($types->all() === ['objectid', 'objectid', 'text'], 'a migration');

$event->remarks()->create(['body' => 'first']);
$event->remarks()->create(['body' => 'second']);
check(
    $event->remarks()->orderBy('id')->pluck('body')->all() === ['first', 'second']
    && Event::with('remarks')->find($event->id)->remarks->count() === 2
    && Remark::with('event')->first()->event->is($event),
    'a relation'
);
$orphan = Remark::create(['body' => 'of none'])->fresh();
check($orphan->event_id === null && Remark::whereNull('event_id')->get()->contains($orphan), 'text: NULL');

$ids = array_map(fn () => new ObjectId(), range(1, 1000));
sort($ids);
$digits = array_map('strval', $ids);
DB::table('made')->insert(array_map(fn ($id) => ['how' => 'text', 'id' => $id, 'hex' => (string) $id], $ids));
check(DB::table('made')->orderBy('id')->pluck('id')->all() === $digits, 'text: 1,000 ids come back equal');

$rows = DB::table('generated')->get();
check(
    count($rows) === 1004 && $rows->every(fn ($row) => (new ObjectId($row->id))->getTimestamp() === $row->seconds),
    'text: generated ids have the time of objectid_time()'
);

check(
    DB::table('made')->where('id', $ids[500])->value('hex') === $digits[500]
    && DB::table('made')->where('id', '<', $ids[500])->count() === 500
    && DB::table('made')->whereIn('id', array_slice($ids, 0, 10))->count() === 10
    && Event::whereKey($event->id)->count() === 1,
    'text: WHERE with an ObjectId'
);

// as text with its time zone, which Laravel omits when a date is bound
$date = new DateTimeImmutable('2025-02-20 05:00 UTC');
$late = array_map(
    fn ($condition) => DB::table('dated')->whereRaw($condition, [$date->format(DATE_ATOM)])->orderBy('n')->pluck('n')->all(),
    ['id > ?::timestamptz', '?::timestamptz < id']
);
check($late === [range(9990, 9999), range(9990, 9999)], 'text: id > a date');

$row = DB::table('document')->first();
$bytes = stream_get_contents($row->bson);
$found = decode($bytes);
check(
    encode(new ObjectId($row->id)) === $bytes && (string) $found === $row->id
    && DB::table('document')->where('id', $found)->count() === 1,
    'text: BSON'
);

// Eloquent converts a key of digits to a number if $incrementing is true
$remark = new Remark(['body' => 'of digits']);
$remark->id = '661234567890123456789012';
$remark->save();
check($remark->id === '661234567890123456789012' && Remark::find($remark->id)->is($remark), 'an id of decimal digits');

try {
    Event::find('507f1f77bcf86cd79943901');
    check(false, 'an invalid id is SQLSTATE 22P02');
} catch (QueryException $exception) {
    check($exception->getCode() === '22P02', 'an invalid id is SQLSTATE 22P02');
}
