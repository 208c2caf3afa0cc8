import { spawn, spawnSync } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Separates a visit from the worker and from other visits (docs/decisions/0023): a user id of its own, and
// user, process, network and IPC namespaces. The worker needs the capabilities SETUID, SETGID and KILL, and
// the container a seccomp profile that allows such namespaces. There is no mount namespace, because container
// engines forbid mounts even where they allow user namespaces. /proc therefore still lists the worker, but
// the kernel denies everything that requires the same user id or user namespace.

/** Below 65536: rootless engines map no more ids into a container. */
const FIRST_USER = 50_000
/** Concurrent visits, the pre-launched browser and source checks together use at most a quarter of these. */
const USERS = 256

/** Processes and threads of one visit. A browser with 30 tabs has about 500; compose.yaml allows the container 1024. */
const MAX_TASKS = 700
/** When memory runs out, the kernel kills a visit before the worker. */
const OOM_SCORE = '500'
/** World-writable folders, in addition to a visit's own folder. */
const SHARED_FOLDERS = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])]
const ASK_LIMIT_MS = 10_000
const REMOVE_LIMIT_MS = 20_000

type Command = readonly string[]

/** User ids, each used by at most one visit at a time. */
export interface VisitUsers {
  /** Throws when all are in use. */
  take(): number
  /** Call it only when nothing of the visit is left: the next visit may get the same id. */
  release(user: number): void
}

export function createVisitUsers(): VisitUsers {
  const free = Array.from({ length: USERS }, (_, index) => FIRST_USER + index)
  return {
    take() {
      const user = free.shift()
      if (user === undefined) throw new Error('no user id is available for a visit')
      return user
    },
    release: (user) => void free.push(user),
  }
}

/**
 * Runs the command as a visit's user, without capabilities. It keeps the worker's network and sees its
 * processes.
 */
export function asVisitUser(user: number, command: Command): string[] {
  const options = [
    `setpriv --reuid=${user} --regid=${user} --clear-groups --inh-caps=-all --ambient-caps=-all`,
    `--no-new-privs --pdeathsig=KILL -- choom -n ${OOM_SCORE} -- prlimit --nproc=${MAX_TASKS} --core=0 --`,
  ]
  return [...options.join(' ').split(' '), ...command]
}

/**
 * Also creates namespaces: the command cannot see, signal or trace processes outside, and its only network
 * interface is loopback. The new user namespace's capabilities last for one command, which brings that
 * interface up.
 */
export function inNamespaces(user: number, command: Command): string[] {
  const options = 'unshare --user --map-current-user --keep-caps --pid --net --ipc --fork --kill-child --'
  const setUp =
    'ip link set lo up && exec setpriv --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- "$@"'
  // tini reaps orphaned processes; when it exits, the whole namespace ends.
  return asVisitUser(user, [...options.split(' '), 'sh', '-c', setUp, 'sh', 'tini', '--', ...command])
}

/** Throws when visits cannot be isolated here, or when they could read one of these files. */
export function requireIsolation(secretFiles: readonly string[]): void {
  // What Chromium's own sandbox does, nested one level deeper.
  const sandbox = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--net', '--root=/', 'true']
  const { status, stderr, error } = run(inNamespaces(FIRST_USER, sandbox))
  if (status !== 0)
    throw new Error(
      `ISOLATION is on, but visits cannot be isolated: ${error?.message ?? stderr.trim()}\n` +
        'The container needs the capabilities SETUID, SETGID and KILL and the profile deploy/bot/seccomp.json; see docs/operate/admin-bot.md.',
    )
  for (const path of secretFiles)
    if (run(asVisitUser(FIRST_USER, ['test', '-r', path])).status === 0)
      throw new Error(
        `${path} can be read by every user. Set its mode to 0400 and its owner to the worker's user.`,
      )
}

/** Removes the files of a visit's user once its processes are gone. Returns whether none is left. */
export async function removeFilesOf(user: number, home: string): Promise<boolean> {
  const folders = [home, ...SHARED_FOLDERS]
  const places = folders.map((folder) => `'${folder}'`).join(' ')
  const own = `find ${places} -xdev -mindepth 1 -user ${user}`
  // Unlock folders first, so that `find` can enter them.
  const script = `${own} -type d ! -perm -0700 -exec chmod u+rwx {} ';'; ${own} -delete`
  const [program = '', ...args] = asVisitUser(user, ['sh', '-c', script])
  await new Promise<void>((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout: REMOVE_LIMIT_MS, killSignal: 'SIGKILL' })
    child.once('error', () => resolve()).once('close', () => resolve())
  })
  const left = await Promise.all(folders.map((folder) => countFilesOf(user, folder)))
  return left.every((count) => count === 0)
}

async function countFilesOf(user: number, folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const owners = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        ({ uid }) => uid,
        () => null,
      ),
    ),
  )
  return owners.filter((owner) => owner === user).length
}

function run([program = '', ...args]: Command) {
  return spawnSync(program, args, { timeout: ASK_LIMIT_MS, encoding: 'utf8' })
}
