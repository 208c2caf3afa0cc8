# Attacks of code inside a visit against the worker and its surroundings: probe.pl <key file> <host:port>...
# Prints one line per kind of attack: its name, the number of successful attempts, the number of attempts.
# Perl, because it can make any system call.
use strict;
use warnings;
no warnings 'portable';
use Socket;
use POSIX ();

my $ptrace = (POSIX::uname())[4] eq 'x86_64' ? 101 : 117;

my ($key_file, @targets) = split / /, $ENV{PROBE_TARGETS} // "@ARGV";
my (%tried, %done);
sub attempt { my ($name, $ok) = @_; $tried{$name}++; $done{$name} += $ok ? 1 : 0 }
sub slurp { my ($path) = @_; open(my $file, '<', $path) or return ''; binmode $file; local $/; return scalar(<$file>) // '' }

# The worker, its parent and the egress: everything in the container that is not part of a visit.
my @pids = grep { /^\d+$/ } do { opendir(my $dir, '/proc') or die; readdir $dir };
my @others = grep {
  my $line = slurp("/proc/$_/cmdline");
  $line =~ /main\.js\0(egress\0)?\z/ && $line !~ /^(setpriv|choom|prlimit|unshare)\0/;
} @pids;
# Ids of processes and threads in this process's own namespace, if it differs from that of /proc: there the
# same numbers mean other processes.
sub ids_of { split ' ', (slurp($_[0]) =~ /^NSpid:\s*(.*)$/m)[0] // '' }
my $level = ids_of('/proc/self/status') - 1;
my %own = map { my @ids = ids_of($_); $level > 0 && @ids > $level ? ($ids[$level] => 1) : () } glob '/proc/[0-9]*/task/[0-9]*/status';

for my $pid (@others) {
  attempt('environ', slurp("/proc/$pid/environ") ne '');
  attempt('memory', reads_memory($pid));
  attempt('descriptors', opendir(my $dir, "/proc/$pid/fd"));
  attempt('root', -e "/proc/$pid/root/etc");
  # PTRACE_SEIZE does not stop the process; the end of this one detaches.
  syscall($ptrace, 0x4206, $pid + 0, 0, 0);
  attempt('ptrace', slurp("/proc/$pid/status") =~ /^TracerPid:\t[1-9]/m);
  attempt('signal', !$own{$pid} && kill('CONT', $pid));
}
attempt('key', slurp($key_file) ne '');
attempt('network', connects($_)) for @targets;
my @sockets = map { (split ' ', $_)[7] // () } split /\n/, slurp('/proc/net/unix');
attempt('sockets', connects_to_socket($_)) for '@internal-service', grep { !m{^\Q$ENV{HOME}\E/|^Path$|^@} } @sockets;
attempt('folders', opendir(my $dir, $_)) for grep { !m{^\Q$ENV{HOME}\E} } glob('/tmp/pennant-bot-* /tmp/pennant-bot-*/*');

my $lines = join '', map { "$_ $done{$_}/$tried{$_}\n" } sort keys %tried;
if (!$ENV{PROBE_REPORT}) { print $lines; exit }
# Runs in place of a renderer, whose output nobody reads.
open(my $report, '>', "$ENV{PROBE_REPORT}.new") or die;
print $report $lines;
close $report;
rename "$ENV{PROBE_REPORT}.new", $ENV{PROBE_REPORT};

sub reads_memory {
  my ($pid) = @_;
  my ($start) = slurp("/proc/$pid/maps") =~ /^([0-9a-f]+)-[0-9a-f]+ r/m or return 0;
  sysopen(my $memory, "/proc/$pid/mem", 0) or return 0;
  sysseek($memory, hex $start, 0) or return 0;
  return sysread($memory, my $bytes, 16);
}

sub connects {
  my ($host, $port) = $_[0] =~ /^(.*):(\d+)$/;
  my $address = inet_aton($host) or return 0;
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or return 0;
  # Everything here is on this machine.
  local $SIG{ALRM} = sub { die };
  return eval { alarm 5; my $ok = connect($socket, pack_sockaddr_in($port, $address)); alarm 0; $ok };
}

sub connects_to_socket {
  my $path = $_[0] =~ s/^@/\0/r;
  socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or return 0;
  # Without padding, as Node does for names of abstract sockets.
  return connect($socket, pack('S a*', PF_UNIX, $path));
}
