import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../../server/test/folder.ts'
import { deploy } from './deploy.ts'
import { serverPackage } from './package.ts'

// Types the commands of "Your first public event" on a clean machine, in the order written: in namespaces of Linux, with
// folders that begin empty and without a network.

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/operate/first-event.md'), 'utf8')
const VERSION = '2.0.0'
const imageFile = `pennant-image-${VERSION}.oci.tar`
const LIMIT_MS = 120_000
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The commands of a section; '' is what precedes the first heading. */
function commandsOf(heading: string): string {
  const [intro = '', ...sections] = page.split(/^## /m)
  const text = heading === '' ? intro : sections.find((section) => section.startsWith(`${heading}. `))
  if (text === undefined) throw new Error(`the page has no section ${heading}`)
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands).join('')
}

/** What the page cannot know, as it is here: the mail server is that of the test. */
const KNOWN_HERE: Readonly<Record<string, string>> = {
  MAIL_URL: 'smtp://ctf:f7kq2@127.0.0.1:2525',
  VERSION,
  RELEASE: '/release',
}

const COMPOSE = ['', '1', '2a']
const PACKAGE = ['', '1', '2b']

/** What cannot run here, why, and what runs in its place. Every other command of the page is run. */
const STAND_INS = [
  {
    program: 'systemctl',
    reason: 'no service manager runs there: what its units start is started',
    script: `case "$*" in
      daemon-reload) ;;
      'enable --now pennant')
        unit=/etc/systemd/system/pennant.service
        install -d -m "$(sed -n 's/^StateDirectoryMode=//p' $unit)" -o pennant -g pennant "$(sed -n 's/^WorkingDirectory=//p' $unit)"
        (cd /var/lib/pennant && exec runuser -u "$(sed -n 's/^User=//p' $unit)" -- $(sed -n 's/^ExecStart=//p' $unit)) >/log 2>&1 &
        ;;
      'reload caddy')
        # Certificates of an authority on this machine instead of a public one.
        { printf '{\\n\\tlocal_certs\\n\\tskip_install_trust\\n}\\n'; cat /etc/caddy/Caddyfile; } >/Caddyfile
        XDG_DATA_HOME=/caddy caddy start --config /Caddyfile --adapter caddyfile >/caddy.log 2>&1
        install -m 0644 /caddy/caddy/pki/authorities/local/root.crt /authority.crt
        ;;
      *) echo "systemctl $*" >&2; return 1 ;;
    esac`,
  },
  {
    program: 'docker',
    reason: 'no engine with Compose is available: the arguments are compared with the archive',
    script: 'echo "$PWD docker $*" >>/docker.log',
  },
]

const isAssignment = (line: string) => /^[A-Z_]+=/.test(line)

function scriptOf(sections: readonly string[]): string {
  const known = Object.entries(KNOWN_HERE).map(([name, value]) => [`${name}=`, `${name}='${value}'`])
  const lines = sections
    .flatMap((heading) => commandsOf(heading).split('\n'))
    .map((line) => known.find(([start = '']) => line.startsWith(start))?.[1] ?? line)
  const functions = STAND_INS.map(({ program, script }) => `${program}() {\n${script}\n}`)
  return ['set -euo pipefail', ...functions, ...lines].join('\n')
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
  const release = join(folder.path, 'release')
  for (const name of ['release', 'machine']) await mkdir(join(folder.path, name))
  const context = {
    root,
    built: root,
    out: release,
    version: VERSION,
    commit: 'c0ffee',
    time: new Date(0),
    artefacts: [],
    say: () => {},
  }
  const artefacts = [...(await serverPackage.build(context)), ...(await deploy.build(context))]
  const names = artefacts.map(({ name }) => name)
  const sums = spawnSync('sha256sum', names, { cwd: release, encoding: 'utf8' })
  await writeFile(join(release, 'SHA256SUMS'), sums.stdout)
  fillCache(join(release, `pennant-${VERSION}.tgz`))
}, 180_000)

afterAll(() => folder[Symbol.asyncDispose]())

/** Downloads what the package depends on, because the machine has no network. */
function fillCache(archive: string): void {
  const at = ['--prefix', join(folder.path, 'elsewhere'), '--cache', join(folder.path, 'npm')]
  const options = ['--silent', '--global', '--ignore-scripts', ...at]
  const done = spawnSync('npm', ['install', ...options, archive], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`npm could not install ${archive}: ${done.stderr}`)
}

/**
 * The programs of this machine with an empty home and network; what is written is in memory and gone at the end, like every
 * process.
 */
const MACHINE = `set -e
cd "$1"
mount -t tmpfs tmpfs machine
mkdir machine/upper machine/work machine/root
mount -t overlay overlay -o lowerdir=/,upperdir=machine/upper,workdir=machine/work machine/root
cd machine/root
mkdir -p release npm checkout home/fresh etc/systemd/system etc/caddy
mount --bind ../../release release
mount --bind ../../npm npm
mount --bind "$2" checkout
mount -t proc proc proc
mount --rbind /dev dev
ip link set lo up
printf '127.0.0.1 localhost ctf.example\n' >etc/hosts
exec chroot . bash -c "$3"`

/** Runs a script of Bash there and returns what it printed. */
function type(script: string): string {
  const env = {
    HOME: '/home/fresh',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    NPM_CONFIG_CACHE: '/npm',
    NPM_CONFIG_OFFLINE: 'true',
    NODE_EXTRA_CA_CERTS: '/authority.crt',
  }
  const isolation = ['--mount', '--net', '--pid', '--fork', '--kill-child']
  const args = [...isolation, 'bash', '-c', MACHINE, 'bash', folder.path, root, script]
  const { status, stdout, stderr } = spawnSync('unshare', args, { env, encoding: 'utf8', timeout: LIMIT_MS })
  if (status !== 0) throw new Error(`${stderr}\n${stdout}`)
  return stdout
}

test('every command of the page belongs to one of the ways', () => {
  const all = [...page.matchAll(/^```(\w*)\n(.*?)^```/gms)]
  expect(all.map(([, language]) => language)).toEqual(all.map(() => 'sh'))
  const used = [...new Set([...COMPOSE, ...PACKAGE])].map(commandsOf).join('')
  expect(used).toBe(all.map(([, , commands]) => commands).join(''))
  const variables = commandsOf('').trim().split('\n')
  expect(variables.filter((line) => !isAssignment(line))).toEqual([])
  // What is copied has nothing to fill in.
  expect(used).not.toMatch(/…|<\w+>(?!@|")/)
  for (const { program } of STAND_INS) expect(used).toMatch(new RegExp(`^${program} `, 'm'))
})

const MAIL_SERVER = `
  const { SMTPServer } = require('/checkout/node_modules/smtp-server')
  const { appendFileSync } = require('node:fs')
  new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ password }, session, done) => done(password === 'f7kq2' ? null : new Error('refused'), { user: 'ctf' }),
    onData: (stream, session, done) => stream.on('data', (part) => appendFileSync('/mail', part)).on('end', done),
  }).listen(2525, '127.0.0.1')`

/** Opens the printed link as the site does, and the site. */
const VISIT = `
  const link = /^https:.*verify.token=.*/m.exec(require('node:fs').readFileSync('/printed', 'utf8'))[0]
  const body = JSON.stringify({ verifyToken: new URL(link).searchParams.get('token') })
  const headers = { 'content-type': 'application/json' }
  const print = async (response) => console.log(await (await response).text())
  print(fetch(new URL('/api/v2/auth/verify', link), { method: 'POST', headers, body }))
    .then(() => print(fetch(new URL('/', link))))`

test(
  'the package is a site with an admin, and doctor finds no error',
  () => {
    const printed = type(`
    node -e ${quote(MAIL_SERVER)} &
    bash -c ${quote(scriptOf(PACKAGE))} >/printed || { cat /log /caddy.log /printed; exit 1; }
    cat /printed /mail
    node -e ${quote(VISIT)}`)
    expect(printed).toMatch(/The configuration is valid/)
    expect(printed).toMatch(/^ok {6}public-url$/m)
    expect(printed).toMatch(/^No errors\. Warnings: \d\.$/m)
    expect(printed).toMatch(/^To: you@example\.org\r?$/m)
    expect(printed).toContain('"kind":"goodRegisterV2"')
    expect(printed).toContain('<title>')
  },
  LIMIT_MS,
)

test(
  'the commands for Compose write what its file needs, and name what the archive has',
  () => {
    const at = `/release/pennant-${VERSION}/deploy/compose`
    const parts = type(`
    set -e
    bash -c ${quote(scriptOf(COMPOSE))} >/printed
    cd ${at}
    for name in /docker.log .env configuration/event.yaml compose.yaml; do echo "=== $name"; cat $name; done
    echo '=== files'; ls Caddyfile configuration`).split(/^=== .*\n/m)
    const [asked = [], env, event, compose] = [parts[1]?.trim().split('\n'), ...parts.slice(2)]
    const { services } = parse(compose ?? '', { merge: true }) as {
      services: Record<string, { image: string }>
    }
    expect(asked[0]).toBe(`/release/pennant-${VERSION} docker load --input /release/${imageFile}`)
    for (const line of asked.slice(1)) {
      expect(line).toMatch(`${at} docker compose `)
      const [, service] = /(?:exec|run --rm) (\w+)/.exec(line) ?? []
      if (service !== undefined) expect(Object.keys(services)).toContain(service)
    }
    expect(services['pennant']?.image).toBe(`localhost/pennant:${VERSION}`)
    expect(env).toMatch(/^DOMAIN=ctf\.example$[^]*^POSTGRES_PASSWORD=[\da-f]{48}$/m)
    expect(parse(event ?? '')).toMatchObject({
      email: {
        from: 'Example CTF <ctf@ctf.example>',
        provider: { options: { smtpUrl: KNOWN_HERE['MAIL_URL'] } },
      },
    })
  },
  LIMIT_MS,
)
