<?php
/* See t/ClientTest.pm. */
declare(strict_types=1);

require 'Illuminate/Database/autoload.php';
require __DIR__ . '/../checks.php';

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Migrations\Migration;
use MongoDB\BSON\ObjectId;
use PgObjectId\HasObjectIds;
use PgObjectId\ServiceProvider;

$manager = new DB();
foreach (['default' => getenv('PGDATABASE'), 'empty' => 'empty'] as $name => $database) {
    $manager->addConnection(['driver' => 'pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT'),
        'database' => $database, 'username' => getenv('PGUSER'), 'password' => '', 'charset' => 'utf8'], $name);
}
$manager->setEventDispatcher(new Illuminate\Events\Dispatcher());
$manager->setAsGlobal();
$manager->bootEloquent();

// Laravel does this
(new ServiceProvider($manager->getContainer()))->boot();

// the example in docs/clients-others.md
class Event extends Model
{
    use HasObjectIds;

    public $timestamps = false;
    protected $table = 'event';
    protected $fillable = ['what'];

    public function remarks()
    {
        return $this->hasMany(Remark::class);
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

class CreateRemark extends Migration
{
    public function up(): void
    {
        DB::connection($this->connection)->statement('CREATE EXTENSION IF NOT EXISTS objectid');

        DB::schema($this->connection)->create('remark', function ($table) {
            $table->objectid('id')->primary()->default(DB::raw('gen_objectid()'));
            $table->objectid('event_id')->nullable();
            $table->text('body')->nullable();
        });
    }

    public function down(): void
    {
        DB::schema($this->connection)->drop('remark');
        DB::connection($this->connection)->statement('DROP EXTENSION objectid');
    }

    public function __construct(string $connection)
    {
        $this->connection = $connection;
    }
}

(new CreateRemark('default'))->up();
DB::schema()->table('remark', fn ($table) => $table->foreign('event_id')->references('id')->on('event'));
$types = DB::table('pg_attribute')->whereRaw("attrelid = 'remark'::regclass AND attnum > 0")
    ->selectRaw('atttypid::regtype::text AS type')->orderBy('attnum')->pluck('type');
check($types->all() === ['objectid', 'objectid', 'text'], 'a migration');

$event->remarks()->create(['body' => 'first']);
check(Event::with('remarks')->find($event->id)->remarks->count() === 1 && Remark::with('event')->first()->event->is($event), 'a relation');

checks('text', [
    'insert' => fn ($rows) => DB::table('made')->insert($rows),
    'made' => fn () => DB::table('made')->orderBy('id')->pluck('id')->all(),
    'nothing' => function () {
        $orphan = Remark::create([])->fresh();
        return Remark::whereNull('event_id')->get()->contains($orphan) ? $orphan->event_id : 'not found';
    },
    'count' => function ($operator, $value) {
        $made = DB::table('made');
        return (is_array($value) ? $made->whereIn('id', $value) : $made->where('id', $operator, $value))->count();
    },
    // as text with its time zone, which Laravel omits when a date is bound
    'late' => fn ($date) => DB::table('dated')->whereRaw('id > ?::timestamptz', [$date->format(DATE_ATOM)])->orderBy('n')->pluck('n')->all(),
]);

// Eloquent converts a key of digits to a number if $incrementing is true
$remark = new Remark(['body' => 'of digits']);
$remark->id = '661234567890123456789012';
$remark->save();
check($remark->id === '661234567890123456789012', 'an id of decimal digits');

$migration = new CreateRemark('empty');
emptyDatabase(
    fn () => $migration->up(),
    function () {
        $remark = Remark::on('empty')->create([]);
        return Remark::on('empty')->find($remark->id)->is($remark) && strlen($remark->id) === 24;
    },
    fn () => $migration->down()
);
