import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Architecture } from './architectures.ts'
import type { DebianFile } from './debian.ts'

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const SOURCES = [
  'debian bookworm main',
  'debian bookworm-updates main',
  'debian-security bookworm-security main',
].map((source) => `deb [signed-by=${KEYRING}] http://deb.debian.org/${source}\n`)

/**
 * The current files of Debian's packages and of what they depend on, by an index whose signature apt has checked. `absent`
 * are packages to leave out, with what only they need.
 */
export async function resolvePackages(
  names: readonly string[],
  absent: readonly string[],
  { name: architecture }: Architecture,
): Promise<DebianFile[]> {
  const root = await mkdtemp(join(tmpdir(), 'pennant-apt-'))
  try {
    for (const folder of [
      'etc/apt/preferences.d',
      'var/lib/apt/lists/partial',
      'var/cache/apt/archives/partial',
    ])
      await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, 'etc/apt/sources.list'), SOURCES.join(''))
    // To apt, packages to leave out are installed.
    const status = absent.map(
      (name) =>
        `Package: ${name}\nStatus: install ok installed\nArchitecture: ${architecture}\nMulti-Arch: foreign\nMaintainer: none\nVersion: 9999\nDescription: absent\n`,
    )
    await writeFile(join(root, 'status'), status.join('\n'))
    await writeFile(join(root, 'apt.conf'), configurationOf(root, architecture))
    apt(root, ['update', '--quiet', '--error-on=any'])
    const list = apt(root, ['install', '--quiet', '--yes', '--print-uris', ...names])
    const lines = [...list.matchAll(/^'([^']+)' \S+ (\d+) SHA256:([0-9a-f]{64})$/gm)]
    return lines.map(([, url = '', size, sha256 = '']) => ({ url, sizeBytes: Number(size), sha256 }))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Of this machine's settings, only the keys of Debian's archive remain. */
function configurationOf(root: string, architecture: string): string {
  return `Dir "${root}";
Dir::State::status "${join(root, 'status')}";
APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::ForceHash "SHA256";
`
}

function apt(root: string, args: readonly string[]): string {
  const env = { ...process.env, APT_CONFIG: join(root, 'apt.conf'), LC_ALL: 'C' }
  const done = spawnSync('apt-get', args, { env, encoding: 'utf8', maxBuffer: 2 ** 24 })
  if (done.status !== 0)
    throw new Error(`apt-get ${args[0]} failed: ${done.error?.message ?? done.stderr}${done.stdout ?? ''}`)
  return done.stdout
}
