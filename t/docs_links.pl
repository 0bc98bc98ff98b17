# The links of the pages lead somewhere, every page is at most two clicks from README.md, and
# none is too long to read.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

# The anchors of a page's headings, as GitHub makes them
sub anchors
{
	my ($page) = @_;
	my $text = slurp_file($page) =~ s/^```.*?^```$//mgsr;
	return map { s/\[(.*?)\]\(.*?\)/$1/gr =~ s/[^\w\- ]//gr =~ tr/A-Z /a-z-/r => 1 } $text =~ /^#+ (.*)$/mg;
}

my %links;
for my $page (glob('*.md docs/*.md import/*.md plain/*.md t/*.md'))
{
	my $text = slurp_file($page);
	my @broken;
	$links{$page} = [];
	for my $link ($text =~ /\]\(([^)\s]+)\)/g, $text =~ /\b(?:src|srcset|href)="([^"]+)"/g)
	{
		next if $link =~ /^[a-z]+:/;
		my ($file, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
		my $target = $file eq '' ? $page : dirname($page) . "/$file";
		my %anchors = defined $anchor && -f $target ? anchors($target) : ();
		push @{ $links{$page} }, $target =~ s{^\./|[^/]+/\.\./}{}gr;
		push @broken, $link if !-e $target || defined $anchor && !$anchors{$anchor};
	}
	is("@broken", '', "$page: its links");
	cmp_ok(() = $text =~ /\n/g, '<=', 250, "$page: no more than 250 lines") unless $page =~ /-data\.md$/;
}

my %near = map { $_ => 1 } @{ $links{'README.md'} }, map { @{ $links{$_} // [] } } @{ $links{'README.md'} };
is(join(' ', grep { !$near{$_} } keys %links), '', 'every page is at most two clicks from README.md');

done_testing();
