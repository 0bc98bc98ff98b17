<?php

/* See clients/t/ClientTest.pm. */
declare(strict_types=1);

require 'Illuminate/Database/autoload.php';
require __DIR__ . '/checks.php';

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use PgObjectId\Laravel\HasObjectIds;

use Illuminate\Database\Eloquent\ModelNotFoundException;
use Illuminate\Database\Migrations\Migration;
use MongoDB\BSON\ObjectId;
use PgObjectId\Laravel\AsObjectId;
use PgObjectId\Laravel\ServiceProvider;

echo "1..26\n";
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

// the example in README.md
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

    public function event()
    {
        return $this->belongsTo(Event::class);
    }
}

class Owned extends Remark
{
    protected $casts = ['event_id' => AsObjectId::class];

    public function events()
    {
        return $this->belongsToMany(Event::class, 'pivot', 'remark_id', 'event_id')->withPivot('n');
    }

    public function morphed()
    {
        return $this->morphToMany(Event::class, 'owner', 'morphed', null, 'event_id');
    }

    public function owner()
    {
        return $this->morphTo();
    }
}

class Made extends Event
{
    protected $table = 'made';
}

class CreateTables extends Migration
{
    public function up(): void
    {
        DB::statement('CREATE EXTENSION IF NOT EXISTS objectid');
        DB::schema()->create('event', function ($table) {
            $table->objectid('id')->primary()->default(DB::raw('gen_objectid()'));
            $table->text('what')->nullable();
        });
        DB::schema()->create('remark', function ($table) {
            $table->objectid('id')->primary();
            $table->foreignObjectid('event_id')->nullable()->constrained('event');
        });
        DB::schema()->table('remark', fn ($table) => $table->nullableObjectidMorphs('owner'));
    }

    public function down(): void
    {
        DB::schema()->drop('remark');
        DB::schema()->drop('event');
        DB::statement('DROP EXTENSION objectid');
    }
}

checks('text', [
    'insert' => fn ($rows) => Made::insert($rows),
    'made' => fn () => Made::orderBy('id')->get()->modelKeys(),
    'count' => fn ($operator, $value) =>
        (is_array($value) ? Made::whereIn('id', $value) : Made::where('id', $operator, $value))->count(),
    // as text with its time zone, which Laravel omits when a date is bound
    'late' => fn ($date) => DB::table('dated')->whereRaw('id > ?::timestamptz', [$date->format(DATE_ATOM)])
        ->orderBy('n')->pluck('n')->all(),
]);

$manager->getDatabaseManager()->setDefaultConnection('empty');
$migration = new CreateTables();
emptyDatabase(
    function () use ($migration) {
        $migration->up();
        $columns = DB::table('pg_attribute')->whereRaw("attrelid IN ('event'::regclass, 'remark'::regclass)");
        $keys = DB::table('pg_constraint')->whereRaw("contype = 'f' AND conrelid = 'remark'::regclass")->count();
        check($columns->whereRaw("atttypid = 'objectid'::regtype")->count() === 4 && $keys === 1, 'a migration');
    },
    function () {
        $event = Event::create(['what' => 'log in']);
        $remark = $event->remarks()->create();
        check(
            Event::with('remarks')->find($event->id)->remarks[0]->is($remark)
                && Remark::with('event')->first()->event->is($event),
            'a relation'
        );

        // as the seeders of Laravel do; the server also has a default
        $quiet = Event::withoutEvents(
            fn () => tap(Event::create(['what' => 'quiet']), fn ($event) => $event->remarks()->create())
        );
        $ignored = new Event();
        check(
            $quiet->exists && Remark::where('event_id', $quiet->id)->count() === 1
                && (!method_exists(Event::class, 'saveOrIgnore')
                    || $ignored->saveOrIgnore() && Event::find($ignored->id)->is($ignored)),
            'a key without events'
        );

        $several = array_map(fn () => $event->newUniqueId(), range(1, 1000));
        $sorted = array_unique($several);
        sort($sorted);
        $same = array_unique(array_map(fn ($id) => substr($id, 8, 10), $several));
        if (($child = pcntl_fork()) === 0) {
            echo substr($event->newUniqueId(), 8, 10) === $same[0] ? "not ok - a fork\n" : '';
            posix_kill(getmypid(), SIGKILL);
        }
        pcntl_waitpid($child, $status);
        $wraps = substr($sorted[999], 18) < substr($sorted[0], 18);
        $ordered = count($sorted) === 1000 && ($wraps || $sorted === $several);
        check(count($same) === 1 && $ordered, 'keys are in order, with one random part');

        $owner = Owned::create([]);
        $owner->forceFill(['owner_type' => Event::class, 'owner_id' => $event->id])->save();
        check(
            $owner->fresh()->owner->is($event) && Owned::whereMorphedTo('owner', $event)->count() === 1
                && Remark::whereNull('owner_id')->count() > 0,
            'a polymorphic relation'
        );

        $upper = strtoupper($event->id);
        $owner->forceFill(['event_id' => $upper])->save();
        $with = Event::with('remarks')->find($upper);
        $made = (new Event())->forceFill(['id' => strtoupper($event->newUniqueId())]);
        $made->save();
        check(
            $with->is($event) && $with->remarks->count() === 2 && $owner->load('event')->event->is($event)
                && Event::findMany([$upper])->modelKeys() === [$event->id] && Event::find($made->id)->is($made)
                && (new Event())->resolveRouteBinding($upper)->is($event),
            'upper-case digits'
        );

        DB::schema()->create('pivot', fn ($table) => $table->objectid('remark_id'));
        DB::schema()->table('pivot', fn ($table) => [$table->objectid('event_id'), $table->integer('n')->nullable()]);
        DB::schema()->create('morphed', fn ($table) => [$table->objectidMorphs('owner'), $table->objectid('event_id')]);
        $right = true;
        foreach (['events', 'morphed'] as $relation) {
            $owner->$relation()->sync([$event->id]);
            $changes = $owner->$relation()->sync([$upper]);
            $right = $right && $changes['attached'] === [] && $changes['detached'] === [];
            $owner->$relation()->toggle([$upper]);
            $right = $right && $owner->$relation()->count() === 0;
        }
        $owner->events()->sync([$upper => ['n' => 7]]);
        check($right && $owner->events()->first()->pivot->n === 7, 'sync() of upper-case digits');
        DB::schema()->drop('pivot');
        DB::schema()->drop('morphed');

        $bound = (new Event())->resolveRouteBinding($event->id);
        try {
            (new Event())->resolveRouteBinding('no id');
        } catch (ModelNotFoundException $error) {
            check($bound->is($event), 'a route with an invalid id finds no model');
        }

        $orphan = Remark::create([])->fresh();
        check($orphan->event_id === null && Remark::whereNull('event_id')->get()->contains($orphan), 'text: NULL');

        // Eloquent converts a key of digits to a number if $incrementing is true
        $event = new Event();
        $event->id = '661234567890123456789012';
        $event->save();
        check($event->id === '661234567890123456789012', 'an id of decimal digits');
        return Event::find($event->id)->is($event);
    },
    fn () => $migration->down()
);
