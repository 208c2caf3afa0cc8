#!/bin/sh
# Blocks traffic from challenge instances to their host and to private networks, for IPv4 and IPv6. Run it as
# root at every boot, on every machine of `instancers/docker`. Running it again replaces its rules atomically;
# `firewall.sh remove` removes them.
#
# With every engine, the names of instance bridges start with pni (no internet access) or pne (internet
# access), and the bridge of the relays, which only send replies, with pnr. The engine's default bridge gets
# the rules of pne, because instances with `network_mode: bridge` use it. If other containers on it need
# access to the host or a private network, exclude the bridge: SHARED_BRIDGES='' firewall.sh
set -eu

SHARED_BRIDGES=${SHARED_BRIDGES-docker0 podman0}

# Not the internet: this machine, private and shared networks, the metadata services of clouds, multicast, and
# prefixes that embed IPv4 addresses (IANA registries of special-purpose addresses).
PRIVATE_4='0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'
PRIVATE_6='::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 2002::/16 fc00::/7 fe80::/10 ff00::/8'

# Engines never write to the mangle table, so their rules cannot precede these.
rules() {
  echo '*mangle'
  for chain in PENNANT-INPUT PENNANT-MACHINE PENNANT-FORWARD PENNANT-INTERNET; do echo ":$chain - [0:0]"; done

  for bridge in pni+ pne+ pnr+ $SHARED_BRIDGES; do echo "-A PENNANT-INPUT -i $bridge -j PENNANT-MACHINE"; done
  # Replies to connections that the host opened, such as health checks.
  echo '-A PENNANT-MACHINE -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN'
  # Instances with internet access resolve names through the engine.
  for bridge in pne+ $SHARED_BRIDGES; do
    for protocol in udp tcp; do
      echo "-A PENNANT-MACHINE -i $bridge -p $protocol --dport 53 -j RETURN"
    done
  done
  if [ "$1" = 6 ]; then
    # Without router and neighbour discovery IPv6 addresses cannot be resolved.
    for type in 133 135 136; do echo "-A PENNANT-MACHINE -p ipv6-icmp --icmpv6-type $type -j RETURN"; done
  fi
  echo '-A PENNANT-MACHINE -j DROP'

  echo '-A PENNANT-FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN'
  # Services of one instance may connect to each other; some machines also send traffic within a bridge
  # through the firewall.
  echo '-A PENNANT-FORWARD -m physdev --physdev-is-bridged -j RETURN'
  for bridge in pni+ pnr+; do echo "-A PENNANT-FORWARD -i $bridge -j DROP"; done
  for bridge in pne+ $SHARED_BRIDGES; do echo "-A PENNANT-FORWARD -i $bridge -j PENNANT-INTERNET"; done
  [ "$1" = 6 ] && ranges=$PRIVATE_6 || ranges=$PRIVATE_4
  for range in $ranges; do echo "-A PENNANT-INTERNET -d $range -j DROP"; done
  echo 'COMMIT'
}

# $1: 4 or 6, $2: the command.
install() {
  rules "$1" | "$2-restore" --noflush
  for hook in INPUT FORWARD; do
    "$2" -t mangle -C "$hook" -j "PENNANT-$hook" 2>/dev/null || "$2" -t mangle -I "$hook" -j "PENNANT-$hook"
  done
}

remove() {
  for hook in INPUT FORWARD; do "$2" -t mangle -D "$hook" -j "PENNANT-$hook" 2>/dev/null || true; done
  for chain in PENNANT-INPUT PENNANT-MACHINE PENNANT-FORWARD PENNANT-INTERNET; do
    "$2" -t mangle -F "$chain" 2>/dev/null || true
  done
  for chain in PENNANT-INPUT PENNANT-MACHINE PENNANT-FORWARD PENNANT-INTERNET; do
    "$2" -t mangle -X "$chain" 2>/dev/null || true
  done
}

# Rules of earlier releases.
remove_old() {
  for bridge in pni+ pne+; do
    iptables -D INPUT -i "$bridge" -j PENNANT-INSTANCES 2>/dev/null || true
    iptables -D FORWARD -i "$bridge" -j PENNANT-EGRESS 2>/dev/null || true
  done
  for chain in PENNANT-INSTANCES PENNANT-EGRESS; do
    iptables -F "$chain" 2>/dev/null || true
    iptables -X "$chain" 2>/dev/null || true
  done
}

verb=${1:-install}
case "$verb" in
  install | remove) ;;
  *) echo "usage: $0 [install|remove]" >&2; exit 2 ;;
esac
"$verb" 4 iptables
# A kernel without IPv6 needs no rules. With IPv6 the rules are mandatory.
[ ! -e /proc/net/if_inet6 ] || "$verb" 6 ip6tables
remove_old
