import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import {
  ALL_PERMISSIONS,
  allPermissions,
  MAX_PERMISSIONS,
  maskOf,
  roles,
  type Permission,
  type Role,
} from '@pennant/contract/permissions.ts'
import { asCommand } from '../lib/action-origin.ts'
import { StartError } from '../lib/errors.ts'
import { versionLine } from '../lib/release.ts'
import { PUBLIC_KEY } from '../lib/ssh-signature.ts'
import type { ActionsCommand } from './actions.ts'
import type { DoctorCommand } from './doctor.ts'
import type { BackupCommand } from './backup.ts'
import { addChallengeCommands, collect } from './challenge-commands.ts'
import { exitStatus, ExitStatus } from './exit-status.ts'
import { explain } from './explain.ts'
import { addImportCommands } from './import-commands.ts'
import type { ImportTeamsOptions } from './import-teams.ts'
import type { MigrateCommand } from './migrate.ts'
import type { ProcessContext } from './process-context.ts'
import type { RestoreCommand } from './restore.ts'
import type { SelftestCommand } from './selftest.ts'
import { addPlayCommands } from './play-commands.ts'
import { addServerCommands } from './server-commands.ts'
import { addLoginCommands } from './login-commands.ts'
import type { VerifyCommand } from './verify.ts'

/** Of every command that prints data: docs/operate/command-line.md */
const jsonOption = ['--json', 'print one line of JSON'] as const
interface JsonOption {
  readonly json?: boolean
}

// Each command is imported on demand: `--help` needs no database driver.

/** Runs a command and returns one of `exitStatus`. */
export async function run(args: readonly string[], context: ProcessContext): Promise<number> {
  try {
    const program = createProgram(context)
    const origin = { route: commandName(program, args), requestId: null }
    await asCommand(origin, () => program.parseAsync(args, { from: 'user' }))
    return exitStatus.done
  } catch (error) {
    if (error instanceof ExitStatus) return error.status
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage
    context.complain(describe(error))
    return exitStatus.failed
  }
}

/** The command without its arguments, which may be addresses of teams. */
function commandName(program: Command, args: readonly string[]): string {
  const names = [program.name()]
  let command: Command | undefined = program
  for (const arg of args) {
    command = command.commands.find((one) => one.name() === arg)
    if (!command) break
    names.push(arg)
  }
  return names.join(' ')
}

export function createProgram(context: ProcessContext): Command {
  const program = new Command('pennant')
    .description('A capture-the-flag contest platform.')
    .version(
      versionLine(),
      '--version',
      'print the version, the commit of a release, and the version of Node',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.complain(text.trimEnd()),
    })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nConfiguration: pennant.yaml, pennant.d/*.yaml, or the environment. See docs/operate.',
    )

  addServerCommands(program, context)
  addMigrateCommand(program, context)
  program
    .command('token-key')
    .description('print a new token key')
    .option('--accept', 'make the database accept the configured key; earlier tokens become invalid')
    .action(async ({ accept }: { accept?: boolean }) => {
      const { acceptTokenKey, printTokenKey } = await import('./token-key.ts')
      await (accept ? acceptTokenKey(context) : printTokenKey(context))
    })
  program
    .command('openid-key')
    .description('replace the key that signs sign-ins at other sites; they find the new one by themselves')
    .action(async () => (await import('./openid-key.ts')).replaceOpenIdKey(context))
  addBackupCommands(program, context)
  addImportCommands(program, context)
  program
    .command('verify')
    .description('recompute the standings from the tables and check what must always hold in them')
    .option('--url <address>', 'also compare with the standings of this server')
    .option('--token <token>', 'auth token for the server, needed before the start, instead of a login')
    .option('--at <time>', 'show the standings at this time, such as 2027-03-05T18:00:00Z')
    .option('--actions-head <hash>', 'an earlier head of the action log, which must still be in it')
    .option(...jsonOption)
    .action(async (options: VerifyCommand) => (await import('./verify.ts')).verify(context, options))
  program
    .command('doctor')
    .description('check this deployment: public URL, database, mail, files, challenges and more')
    .option('--mail-to <address>', 'send a test message to this address')
    .option('--instances', 'start an instance of a challenge, wait until it runs, and stop it')
    .option('--bot', 'queue a visit of the admin bot and wait for its end')
    .option(...jsonOption)
    .action(async (options: DoctorCommand) => (await import('./doctor.ts')).doctor(context, options))
  addSelftestCommand(program, context)
  addLoginCommands(program, context)
  addChallengeCommands(program, context)
  addAdminCommands(program, context)
  addTeamCommands(program, context)
  addConfigCommands(program, context)
  addActionCommands(program, context)
  addMailCommand(program, context)
  addPlayCommands(program, context)
  return program
}

function addMigrateCommand(program: Command, context: ProcessContext): void {
  program
    .command('migrate')
    .description('migrate the database to this version')
    .option('--backup', 'first back up a database with teams; without it, asks on a terminal')
    .option('--no-backup', 'do not ask')
    .action(async (options: MigrateCommand) => {
      const { migrateDatabase } = await import('./migrate.ts')
      await migrateDatabase(context, options)
    })
}

function addMailCommand(program: Command, context: ProcessContext): void {
  program
    .command('mail')
    .description('check the mail configuration')
    .command('test')
    .description('send a test message and print the response of the mail server')
    .requiredOption('--to <address>', 'recipient')
    .action(async (options: { to: string }) => (await import('./mail.ts')).testMail(context, options))
}

function addBackupCommands(program: Command, context: ProcessContext): void {
  const descriptor = ['--passphrase-fd <n>', 'file descriptor with the passphrase', parseDescriptor] as const
  program
    .command('backup')
    .description('write the database, uploads, keys and configuration to one archive')
    .option('--output <file>', 'file to write; by default a new one in `backup.folder`')
    .option('--with-secrets', 'include the secrets of the configuration')
    .option(...descriptor)
    .option('--recipient <key>', 'recipient of age, `age1…`; may be repeated', collect, [])
    .option(...jsonOption)
    .action(async (options: BackupCommand) => (await import('./backup.ts')).backup(context, options))
  program
    .command('signing-key <file>')
    .description('create a key that signs backups, and print its public key')
    .action(async (file: string) => (await import('./backup.ts')).createSigningKey(context, file))
  program
    .command('restore <archive>')
    .description('check an archive completely, then restore it into an empty database')
    .option('--into <database>', 'name of the configured database, to replace its contents')
    .option('--check', 'only check the archive')
    .option(...descriptor)
    .option(
      '--identity <file>',
      'file with an identity of age, for an archive that is encrypted for its recipient',
    )
    .option(
      '--accept-unencrypted',
      'restore an unencrypted archive although a passphrase or identity is known',
    )
    .option(
      '--signed-by <key>',
      'public key `ssh-ed25519 …` that must have signed the archive, instead of those configured; may be repeated',
      collectPublicKeys,
      [],
    )
    .option('--accept-unsigned', 'restore an archive without a signature although a public key is known')
    .option('--from-store', 'the archive is a name in `backup.store`, and is downloaded first')
    .option(...jsonOption)
    .action(async (archive: string, options: RestoreCommand) =>
      (await import('./restore.ts')).restore(context, archive, options),
    )
}

function addSelftestCommand(program: Command, context: ProcessContext): void {
  const none: readonly string[] = []
  program
    .command('selftest')
    .description('attack a staging server over HTTP and report vulnerabilities')
    .requiredOption('--url <address>', 'address of the server, through its proxy')
    .requiredOption('--token <token>', 'auth token of an admin, or @file')
    .option(
      '--organiser <token>',
      'auth token of a team with some permissions, or @file (repeatable)',
      collect,
      none,
    )
    .option('--person-link <link>', 'personal sign-in link of a person, or @file (twice)', collect, none)
    .option('--only <check>', 'a check or a category such as S6 (repeatable)', collect, none)
    .option('--email-domain <domain>', 'domain of the test teams', 'selftest.invalid')
    .option('--force', 'run against a server that has teams and solves')
    .option(...jsonOption)
    .action(async (options: SelftestCommand) => (await import('./selftest.ts')).selftest(context, options))
}

interface AdminOptions extends GivenPermissions {
  readonly name: string
  readonly email: string
  readonly json?: boolean
}

function addAdminCommands(program: Command, context: ProcessContext): void {
  const admin = program.command('admin').description('manage the teams with permissions')
  const perms = [
    '--perms <permissions>',
    'names with commas, or the sum of their bits',
    parsePermissions,
    ALL_PERMISSIONS,
  ] as const
  const role = new Option('--role <role>', 'permissions of a role instead').choices(Object.keys(roles))
  role.conflicts('perms')
  admin
    .command('create')
    .description('create a team with permissions and print its tokens')
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--email <address>', 'email address of the team')
    .option(...perms)
    .addOption(role)
    .option(...jsonOption)
    .action(async (options: AdminOptions) =>
      (await import('./admin.ts')).createAdminTeam(context, { ...options, perms: permissionsOf(options) }),
    )
  admin
    .command('list')
    .description('list the teams with permissions')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) =>
      (await import('./admin.ts')).listAdminTeams(context, options),
    )
  admin
    .command('promote <email>')
    .description('add permissions to a team, invalidate its tokens and print a new sign-in link')
    .option(...perms)
    .addOption(role)
    .option(...jsonOption)
    .action(async (email: string, options: GivenPermissions & JsonOption) =>
      (await import('./admin.ts')).promoteTeam(context, {
        email,
        perms: permissionsOf(options),
        json: options.json,
      }),
    )
  admin
    .command('demote <email>')
    .description("remove a team's permissions and invalidate its tokens")
    .option(...jsonOption)
    .action(async (email: string, options: JsonOption) =>
      (await import('./admin.ts')).demoteTeam(context, email, options),
    )
  admin
    .command('link <email>')
    .description('print a link, for one use, that signs in a team with permissions without a second factor')
    .option(...jsonOption)
    .action(async (email: string, options: JsonOption) =>
      (await import('./admin.ts')).printAdminLink(context, email, options),
    )
  admin
    .command('sign-out <email>')
    .description('invalidate all tokens of a team and print a new sign-in link')
    .option(...jsonOption)
    .action(async (email: string, options: JsonOption) =>
      (await import('./admin.ts')).signOutTeam(context, email, options),
    )
}

function addTeamCommands(program: Command, context: ProcessContext): void {
  const team = program.command('team').alias('teams').description('manage teams of players')
  team
    .command('import <file>')
    .description('create the teams of a CSV file with the columns name, email, division and country')
    .option('--dry-run', 'only check the file')
    .option('--mail', 'send each team a sign-in link')
    .option('--slips <file>', 'write sign-in slips to print, an HTML file that must not exist')
    .option(...jsonOption)
    .action(async (file: string, options: ImportTeamsOptions) =>
      (await import('./import-teams.ts')).importTeamFile(context, file, options),
    )
  team
    .command('create')
    .description('create a team without permissions and print its tokens, also while registration is closed')
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--email <address>', 'email address of the team, which is not verified')
    .option('--division <id>', 'division, instead of the default one')
    .option(...jsonOption)
    .action(async (options: Omit<AdminOptions, 'perms'> & { readonly division?: string }) =>
      (await import('./admin.ts')).createAdminTeam(context, { ...options, perms: 0 }),
    )
}

function addActionCommands(program: Command, context: ProcessContext): void {
  program
    .command('actions')
    .description('what organisers and commands did')
    .command('export')
    .description('write the action log to standard output or a file, oldest entry first')
    .addOption(new Option('--format <format>', 'format').choices(['csv', 'jsonl']).default('jsonl'))
    .option('--output <file>', 'file to write, which must not exist')
    .option('--actor <team>', 'only actions of this team (its id), or `command-line`')
    .option(
      '--action <action>',
      'only this action, such as `challenge.update`, or `challenge` for all of them',
    )
    .option('--target <id>', 'only actions on this challenge or team')
    .option('--after <time>', 'only from this time on, such as 2027-03-05T18:00:00Z')
    .option('--until <time>', 'only before this time')
    .action(async (options: ActionsCommand) => (await import('./actions.ts')).exportActions(context, options))
}

function addConfigCommands(program: Command, context: ProcessContext): void {
  const config = program
    .command('config')
    .description('write (init), check, print or explain (keys) the configuration')
  config
    .command('init')
    .description('ask a few questions and write a commented configuration')
    .option('--output <file>', 'file to write', 'pennant.yaml')
    .action(async (options: { output: string }) =>
      (await import('./config-init.ts')).initConfig(context, options),
    )
  config
    .command('check')
    .description('report every error in the configuration')
    .action(async () => (await import('./config.ts')).checkConfig(context))
  config
    .command('print')
    .description('print the effective configuration, defaults included, secrets hidden')
    .option(...jsonOption)
    .action(async (options: JsonOption) => (await import('./config.ts')).printConfig(context, options))
  config
    .command('keys')
    .description('print every key with its type, default, variable and meaning')
    .argument('[part]', 'only keys whose path or provider contains this')
    .option(...jsonOption)
    .action(async (part: string | undefined, options: JsonOption) =>
      (await import('./config.ts')).printKeys(context, { ...options, part }),
    )
}

function collectPublicKeys(line: string, earlier: readonly string[]): string[] {
  if (!PUBLIC_KEY.test(line)) throw new InvalidArgumentError('Must be a public key, `ssh-ed25519 AAAA…`.')
  return [...earlier, line]
}

function parseDescriptor(text: string): number {
  if (!/^\d{1,4}$/.test(text))
    throw new InvalidArgumentError('Must be the number of an open file descriptor.')
  return Number(text)
}

interface GivenPermissions {
  readonly perms: number
  readonly role?: Role
}

function permissionsOf({ perms, role }: GivenPermissions): number {
  return role === undefined ? perms : roles[role]
}

function parsePermissions(text: string): number {
  if (!/^\d+$/.test(text)) return maskOf(text.split(',').map((name) => requirePermission(name.trim())))
  const bits = Number(text)
  if (bits < 1 || bits > MAX_PERMISSIONS)
    throw new InvalidArgumentError(`Must be a number from 1 to ${MAX_PERMISSIONS}, or names of permissions.`)
  return bits
}

function requirePermission(name: string): Permission {
  const found = allPermissions.find((each) => each === name)
  if (found) return found
  throw new InvalidArgumentError(`There is no permission ${name}; there are ${allPermissions.join(', ')}.`)
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message
  return explain(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}
