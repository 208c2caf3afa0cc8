import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { allPermissions } from '@pennant/contract/permissions.ts'
import { StartError } from '../lib/errors.ts'
import { explain } from './explain.ts'
import type { Outside } from './outside.ts'

// Each command is loaded when it is asked for: `--help` needs no database driver.

/** Runs one command. The exit status: 0, 1 when it failed, 2 when it was called wrongly. */
export async function run(args: readonly string[], outside: Outside): Promise<number> {
  try {
    await createProgram(outside).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    outside.complain(describe(error))
    return 1
  }
}

function createProgram(outside: Outside): Command {
  const program = new Command('pennant')
    .description('A capture-the-flag contest platform.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => outside.print(text.trimEnd()),
      writeErr: (text) => outside.complain(text.trimEnd()),
    })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nConfiguration: pennant.yaml, pennant.d/*.yaml, or the environment. See docs/operate.',
    )

  program
    .command('serve')
    .description('run the server')
    .action(async () => {
      const { serve } = await import('./serve.ts')
      await serve(outside)
    })
  program
    .command('migrate')
    .description('bring the database to this version')
    .action(async () => {
      const { migrateDatabase } = await import('./migrate.ts')
      await migrateDatabase(outside)
    })
  program
    .command('token-key')
    .description('print a new token key')
    .option(
      '--accept',
      'use the configured key with this database from now on: earlier tokens become invalid',
    )
    .action(async ({ accept }: { accept?: boolean }) => {
      const { acceptTokenKey, printTokenKey } = await import('./token-key.ts')
      await (accept ? acceptTokenKey(outside) : printTokenKey(outside))
    })
  addAdminCommands(program, outside)
  addConfigCommands(program, outside)
  return program
}

interface AdminOptions {
  readonly name: string
  readonly email: string
  readonly perms: number
  readonly json?: boolean
}

function addAdminCommands(program: Command, outside: Outside): void {
  const admin = program.command('admin').description('who may run the contest')
  const perms = ['--perms <bitmask>', 'sum of permission bits', parsePermissions, allPermissions] as const
  admin
    .command('create')
    .description('make a team with permissions and print its tokens')
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--email <address>', 'its address')
    .option(...perms)
    .option('--json', 'print one line of JSON')
    .action(async (options: AdminOptions) => (await import('./admin.ts')).createAdminTeam(outside, options))
  admin
    .command('list')
    .description('list the teams with permissions')
    .option('--json', 'print one line of JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./admin.ts')).listAdminTeams(outside, options),
    )
  admin
    .command('promote <email>')
    .description('give a team permissions')
    .option(...perms)
    .action(async (email: string, options: { perms: number }) =>
      (await import('./admin.ts')).promoteTeam(outside, { email, perms: options.perms }),
    )
  admin
    .command('demote <email>')
    .description("take a team's permissions away")
    .action(async (email: string) => (await import('./admin.ts')).demoteTeam(outside, email))
}

function addConfigCommands(program: Command, outside: Outside): void {
  const config = program.command('config').description('the configuration in use')
  config
    .command('check')
    .description('tell every mistake in it')
    .action(async () => (await import('./config.ts')).checkConfig(outside))
  config
    .command('print')
    .description('print it, defaults included, secrets hidden')
    .action(async () => (await import('./config.ts')).printConfig(outside))
}

function parsePermissions(text: string): number {
  const bits = Number(text)
  if (!/^\d+$/.test(text) || bits < 1 || bits > allPermissions)
    throw new InvalidArgumentError(`It is a number from 1 to ${allPermissions}.`)
  return bits
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message
  return explain(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}
