import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExternal } from '../../build.mjs'
import type { ImageSpec } from './image.ts'
import { file, type Tree } from './tree.ts'

const PATH = 'PATH=/usr/local/bin:/usr/bin:/usr/sbin'

/** docs/operate/containers.md lists the options that its container needs. */
const server: ImageSpec = {
  name: 'pennant',
  title: 'Pennant',
  packages: [
    'base-files',
    'busybox-static',
    'ca-certificates',
    'libatomic1',
    'libc-bin',
    'libstdc++6',
    'tini',
  ],
  // The locale is that of the embedded database.
  isWanted:
    /^usr\/(?:bin\/(?:busybox|tini)$|lib\/(?:os-release$|locale\/C\.utf8\/)|share\/ca-certificates\/)/,
  absent: ['debconf', 'openssl', 'mawk'],
  imports(root) {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(root, 'server/package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>
    return Object.keys({ ...dependencies, ...optionalDependencies }).filter(isExternal)
  },
  prepare(system, modules) {
    linkDatabaseLibraries(modules)
    system.set('data', { folder: true, mode: 0o700, uid: 1000, gid: 1000 })
    system.set('etc/os-release', { link: '../usr/lib/os-release' })
    // For `exec`, which does not go through the entry point.
    const command = '#!/bin/sh\nexec node /pennant/server/dist/main.js "$@"\n'
    system.set('usr/local/bin/pennant', file(command, 0o755))
  },
  budgetBytes: 235e6,
  isProgram: /^(?!bot\/)/,
  nodeMode: 0o755,
  config: {
    User: '1000:1000',
    ExposedPorts: { '3000/tcp': {} },
    // PostgreSQL has nowhere else to write on a read-only root: the data folder and /tmp.
    Env: [PATH, 'NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=3000', 'PENNANT_DATA_DIR=/data'],
    // tini reaps processes that a killed PostgreSQL leaves.
    Entrypoint: ['tini', '--', 'node', 'server/dist/main.js'],
    Cmd: ['serve'],
    Volumes: { '/data': {} },
    WorkingDir: '/pennant',
    StopSignal: 'SIGTERM',
    // Docker's extension; other engines ignore it.
    Healthcheck: {
      Test: ['CMD-SHELL', 'wget -q -O /dev/null "http://127.0.0.1:$PORT/healthz"'],
      Interval: 10e9,
      Timeout: 5e9,
      StartPeriod: 60e9,
      Retries: 3,
    },
  },
}

/** As the package's install script does. */
function linkDatabaseLibraries(modules: Tree): void {
  for (const [path, entry] of modules) {
    if (!path.endsWith('/pg-symlinks.json') || !('content' in entry)) continue
    const links = JSON.parse(entry.content.toString()) as { source: string; target: string }[]
    const home = dirname(dirname(path))
    for (const { source, target } of links)
      modules.set(join(home, target), { link: relative(dirname(target), source) })
  }
}

/** Fontconfig's script asks about these; the others are its defaults. */
const FONT_CHOICES =
  /\/(?:05-|09-|25-|10-(?!hinting-slight|scale|yes)|11-(?!lcdfilter-default)|65-khmer|70-(?!no-bitmaps))/

/** docs/operate/admin-bot.md lists the options that its container needs. */
const bot: ImageSpec = {
  name: 'pennant-bot',
  title: 'the admin bot of Pennant',
  packages: [
    'base-files',
    'busybox-static',
    'ca-certificates',
    'chromium',
    'dash',
    'findutils',
    'fonts-liberation',
    'iproute2',
    'libatomic1',
    'libstdc++6',
    'tini',
    'util-linux',
  ],
  // NSS opens its modules by name. A shell and `find` other than BusyBox's: that shell would run its own `ip` and
  // `setpriv`, and that `find` cannot remove what a visit nested deeply.
  isWanted:
    /^(?:etc\/chromium|etc\/fonts\/|usr\/(?:bin\/(?:busybox|choom|chromium|dash|find|ip|prlimit|setpriv|tini|unshare)$|lib\/(?:os-release$|chromium\/(?!locales\/(?!en-US)|libVk)|[^/]+\/(?:libfreebl|libnssckbi|libsoftokn))|share\/(?:ca-certificates|chromium|fontconfig|fonts)\/))/,
  // A desktop, graphics hardware, and what only scripts of packages need.
  absent: [
    'adwaita-icon-theme',
    'dconf-gsettings-backend',
    'dbus',
    'debconf',
    'libgl1-mesa-dri',
    'mawk',
    'openssl',
    'systemd',
    'x11-utils',
    'xdg-utils',
  ],
  imports: () => ['esbuild', 'playwright-core'],
  prepare(system) {
    system.set('usr/bin/sh', { link: 'dash' })
    system.set('etc/os-release', { link: '../usr/lib/os-release' })
    for (const path of system.keys()) {
      const [, name] = /^usr\/share\/fontconfig\/conf\.avail\/([^/]+)$/.exec(path) ?? []
      if (name !== undefined && !FONT_CHOICES.test(path))
        system.set(`etc/fonts/conf.d/${name}`, { link: `/${path}` })
    }
    const policies = fileURLToPath(new URL('../../../deploy/bot/policies.json', import.meta.url))
    system.set('etc/chromium/policies/managed/pennant.json', file(readFileSync(policies, 'utf8')))
  },
  budgetBytes: 600e6,
  isProgram: /^(?:bot\/|package\.json$|LICENSE$)/,
  // Executable but not readable: the kernel hides memory and environment of such processes from other processes
  // of the same user. This adds a layer of isolation between the processes of a visit.
  nodeMode: 0o711,
  config: {
    // Starts as root and switches to an unprivileged user at once. It keeps three capabilities, which the worker
    // uses to start each visit as a separate user and to end it; a visit has none. tini reaps orphaned processes,
    // of which a browser leaves dozens.
    User: '0:0',
    ExposedPorts: { '21337/tcp': {} },
    // Visits must run isolated, and secrets come from files. Use `off` only where no untrusted code runs.
    Env: [PATH, 'ISOLATION=on', 'SECRET_KEY_FILE=/run/secrets/bot-key'],
    Entrypoint:
      'setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=+setuid,+setgid,+kill --ambient-caps=+setuid,+setgid,+kill --no-new-privs -- tini -- node bot/dist/main.js'.split(
        ' ',
      ),
    WorkingDir: '/pennant',
    StopSignal: 'SIGTERM',
  },
}

export const images: readonly ImageSpec[] = [server, bot]
