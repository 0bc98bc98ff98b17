<?php

/* See t/ClientTest.pm. */
declare(strict_types=1);

require 'Illuminate/Database/autoload.php';
require __DIR__ . '/checks.php';

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use PgObjectId\Laravel\HasObjectIds;

use Illuminate\Database\Eloquent\Casts\Attribute;
use Illuminate\Database\Eloquent\ModelNotFoundException;
use Illuminate\Database\QueryException;
use PgObjectId\Laravel\ServiceProvider;

echo "1..13\n";
$manager = new DB();
foreach (['default' => getenv('PGDATABASE'), 'empty' => 'empty'] as $name => $database) {
    $manager->addConnection(['driver' => 'pgsql', 'database' => $database, 'charset' => 'utf8'], $name);
}
$manager->setEventDispatcher(new Illuminate\Events\Dispatcher());
$manager->setAsGlobal();
$manager->bootEloquent();
(new ServiceProvider($manager->getContainer()))->boot(); // Laravel does this

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

check($found->is($event) && $late->contains($event), 'the example');

class Remark extends Event
{
    protected $table = 'remark';

    public function event()
    {
        return $this->belongsTo(Event::class);
    }
}

class Post extends Event
{
    protected $table = 'post';

    public function owner()
    {
        return $this->morphTo();
    }

    protected function likes(): Attribute
    {
        return new Attribute(
            get: fn ($ids) => array_filter(explode(',', trim($ids ?? '', '{}'))),
            set: fn ($ids) => '{' . implode(',', $ids) . '}'
        );
    }
}

$date = new DateTimeImmutable('2025-02-20 05:00 UTC');
check(DB::table('dated')->whereRaw('id > ?::timestamptz', [$date->format(DATE_ATOM)])->count() === 10, 'id > a date');

$manager->getDatabaseManager()->setDefaultConnection('empty');
DB::statement('CREATE EXTENSION IF NOT EXISTS objectid');
DB::schema()->create('event', function ($table) {
    $table->objectid('id')->primary()->default(DB::raw('gen_objectid()'));
    $table->text('what')->nullable();
});
DB::schema()->create('remark', function ($table) {
    $table->objectid('id')->primary();
    $table->foreignObjectid('event_id')->nullable()->constrained('event');
});
DB::schema()->create('post', function ($table) {
    $table->objectid('id')->primary();
    $table->nullableObjectidMorphs('owner');
    $table->objectid('event_id')->nullable()->constrained('event'); // which is ignored
    $table->foreignIdFor(Event::class, 'wrong')->nullable();
});
DB::statement("ALTER TABLE post ADD likes objectid[] DEFAULT '{}'");
DB::schema()->create('morphed', fn ($table) => $table->objectidMorphs('owner'));
$keys = DB::table('pg_constraint')->where('contype', 'f')->pluck('conname')->all();
$types = DB::table('information_schema.columns')->where('table_schema', 'public')->pluck('udt_name')->countBy();
check(
    $types['objectid'] === 7 && $types['uuid'] === 1
        && $keys === ['remark_event_id_foreign'],
    'a migration'
);

$event = Event::create(['what' => 'log in']);
$remark = $event->remarks()->create();
$orphan = Remark::create([])->fresh();
check($orphan->event_id === null && Remark::whereNull('event_id')->get()->contains($orphan), 'NULL');
check(
    Event::with('remarks')->find($event->id)->remarks[0]->is($remark)
        && Remark::with('event')->find($remark->id)->event->is($event),
    'a relation'
);

// as the seeders of Laravel do
$quiet = Event::withoutEvents(fn () => Remark::create([]));
check(Remark::find($quiet->id)->is($quiet), 'a key without events');
$insert = fn () => Remark::insert(['event_id' => null]);
check(Event::insert(['what' => 'default']) && raises(QueryException::class, $insert), 'insert() generates no key');

// as MongoDB's specification says
$keys = array_map(fn () => $event->newUniqueId(), range(0, 999));
$random = array_unique(array_map(fn ($key) => substr($key, 8, 10), $keys));
if (($child = pcntl_fork()) === 0) {
    echo substr($event->newUniqueId(), 8, 10) === $random[0] ? "not ok - a fork\n" : '';
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($child, $status);
$counter = fn ($key) => hexdec(substr($key, 18));
check(
    count($random) === 1 && ($counter($keys[999]) - $counter($keys[0]) & 0xffffff) === 999
        && abs(hexdec(substr($keys[0], 0, 8)) - time()) < 60,
    'a key has the time, a random part of the process, and a counter'
);

$post = Post::create([]);
$post->forceFill(['owner_type' => Event::class, 'owner_id' => $event->id])->save();
check($post->fresh()->owner->is($event), 'a polymorphic relation');

$empty = $post->fresh()->likes;
$post->likes = [...$empty, $event->id, $remark->id];
$post->save();
check($empty === [] && $post->fresh()->likes === [$event->id, $remark->id], 'arrays');

$upper = strtoupper($event->id);
check(
    Event::with('remarks')->find($upper)->remarks->count() === 1
        && Event::findMany([$upper])->modelKeys() === [$event->id]
        && (new Event())->resolveRouteBinding($upper)->is($event)
        && (new Remark())->forceFill(['event_id' => $upper])->load('event')->event === null,
    'upper-case digits'
);

check(
    raises(ModelNotFoundException::class, fn () => (new Event())->resolveRouteBinding('no id'))
        && raises(QueryException::class, fn () => (new Remark())->resolveRouteBinding('no id', 'event_id'))
        && raises(QueryException::class, fn () => Event::find('no id')),
    'a route with an invalid key finds no model'
);

// Eloquent converts a key of digits to a number if $incrementing is true
$digits = (new Event())->forceFill(['id' => '661234567890123456789012']);
$digits->save();
check($digits->id === '661234567890123456789012' && Event::find($digits->id)->is($digits), 'an id of decimal digits');
