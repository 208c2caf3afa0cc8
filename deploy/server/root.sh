#!/bin/sh
# Collects the root of the server's image in /image: the libraries that Node and the package in /package load, certificates,
# a shell for `exec`, and tini. Debian's own base is three times as large, for a package manager that nobody runs.
set -eu
for folder in bin dev etc/ssl/certs proc run sys tmp usr/bin usr/local/bin var/lib/dpkg/status.d var/tmp; do
  mkdir -p "/image/$folder"
done
chmod 1777 /image/tmp /image/var/tmp

# Debugging symbols are a fifth of Node's program.
strip -o /image/usr/local/bin/node /usr/local/bin/node
cp -L /usr/bin/tini /image/usr/bin/tini
cp -L /bin/busybox /image/bin/busybox
# `sh` also starts PostgreSQL's initdb.
for name in $(/bin/busybox --list); do
  [ "$name" = busybox ] || ln -s busybox "/image/bin/$name"
done

# For `exec`, which does not go through the entry point.
printf '#!/bin/sh\nexec node /pennant/server/dist/main.js "$@"\n' >/image/usr/local/bin/pennant
chmod 755 /image/usr/local/bin/pennant

if ldd /image/usr/local/bin/node | grep 'not found'; then exit 1; fi
# Libraries of the package itself are reported as missing here, and found by their own paths at run time.
programs=$(find /package/node_modules -name '*.node' -o -name '*.so*' -type f -o -path '*/native/bin/*' -type f)
# shellcheck disable=SC2086
{ ldd /image/usr/local/bin/node /usr/bin/tini $programs 2>/dev/null || true; } |
  grep -o ' */[^ ]*/\(ld-linux\|lib\(c\|m\|dl\|rt\|pthread\|resolv\|gcc_s\|stdc++\|atomic\)\.so\)[^ ]*' | sort -u |
  while read -r library; do
    mkdir -p "/image$(dirname "$library")"
    cp -L "$library" "/image$library"
  done

# The locale of the embedded database.
mkdir -p /image/usr/lib/locale
cp -a /usr/lib/locale/C.utf8 /image/usr/lib/locale/C.utf8

cp -L /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/
cp -L /etc/os-release /image/etc/os-release
printf 'root:x:0:0::/:/bin/sh\npennant:x:1000:1000::/data:/bin/false\n' >/image/etc/passwd
printf 'root:x:0:\npennant:x:1000:\n' >/image/etc/group
printf 'hosts: files dns\n' >/image/etc/nsswitch.conf
# Scanners look for the versions of packages here.
for name in busybox-static ca-certificates libatomic1 libc6 libgcc-s1 libstdc++6 tini; do
  dpkg-query --status "$name" >"/image/var/lib/dpkg/status.d/$name"
done
