import { Option, type Command } from 'commander'
import { collect } from './challenge-commands.ts'
import type { CtfdCommand } from './import-ctfd.ts'
import type { RctfCommand } from './import.ts'
import type { ProcessContext } from './process-context.ts'

/** The options of each source. */
function withImportOptions(command: Command): Command {
  return command
    .option('--plan', 'print what would be written and what would be lost; write nothing')
    .option(
      '--accept-loss',
      'import although something of the source is lost; without it, exit with status 3',
    )
    .option('--tokens <file>', 'file for new sign-in links and secrets, readable only by you')
    .option('--store-pictures', 'fetch pictures of other sites in texts and store them')
    .option('--json', 'print one line of JSON')
}

export function addImportCommands(program: Command, context: ProcessContext): void {
  const command = program.command('import').description('import the contest of another platform')
  const none: readonly string[] = []
  withImportOptions(
    command
      .command('rctf [source]')
      .description(
        'import from rCTF 1 or 2: the address of its database, or a dump of pg_dump; without a source, only its configuration',
      )
      .option('--config <path>', 'configuration of rCTF, a folder or a file, and its environment variables')
      .option('--files <folder>', 'folder of uploads of rCTF')
      .option('--origin <address>', 'address of the running rCTF, to download its files')
      .option('--division <old=new>', 'division that becomes another (repeatable)', collect, none)
      .option('--known-token <file>', 'file with a token of a team, to check that it stays valid')

      .option('--write-config <file>', 'file for the configuration that carries over, with its secrets'),
  ).action(async (source: string | undefined, options: RctfCommand) =>
    source === undefined
      ? (await import('./import-rctf-config.ts')).importRctfConfig(context, options)
      : (await import('./import.ts')).importRctf(context, source, options),
  )
  withImportOptions(
    command
      .command('ctfd <archive>')
      .description('import from the export of CTFd, a zip archive')
      .option('--division <bracket=division>', 'bracket that becomes a division (repeatable)', collect, none)
      .option('--end <time>', 'end of the event, such as 2027-03-07T18:00:00Z, if the source has none')
      .option('--admins', 'give users of the type admin all permissions')
      .addOption(choice('--hidden <what>', 'what becomes of hidden accounts', ['ban', 'skip']))
      .addOption(
        choice('--awards <what>', 'import awards as score adjustments, or their sums as pushed points', [
          'adjust',
          'feed',
          'skip',
        ]),
      )
      .addOption(
        choice('--scoring <what>', 'keep the points of the export, or let them decay', ['static', 'decay']),
      )
      .addOption(
        choice('--locked <what>', 'challenges whose prerequisites cannot be kept', ['hide', 'open']),
      ),
  ).action(async (archive: string, options: CtfdCommand) =>
    (await import('./import-ctfd.ts')).importCtfd(context, archive, options),
  )
}

/** The first choice is the default. */
function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).default(choices[0])
}
