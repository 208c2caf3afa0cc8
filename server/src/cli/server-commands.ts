import { InvalidArgumentError, Option, type Command } from 'commander'
import { PHASES } from '../ops/demo/event.ts'
import type { DemoCommand } from './demo.ts'
import { collect } from './challenge-commands.ts'
import type { ProcessContext } from './process-context.ts'
import type { PublicDemoCommand } from './public-demo.ts'

/** More need a larger database first. */
const MAX_PROCESSES = 64
const MAX_DEMO_TEAMS = 20_000
const MAX_PORT = 65_535
const DEFAULT_PORT = 3000
const MAX_RESET_MINUTES = 24 * 60

export function addServerCommands(program: Command, context: ProcessContext): void {
  program
    .command('serve')
    .description('run the server')
    .option(
      '--processes <count>',
      'processes that share the port, to use several cores',
      upTo(MAX_PROCESSES),
      1,
    )
    .action(async (options: { processes: number }) => {
      const { serve } = await import('./serve.ts')
      await serve(context, options)
    })
  program
    .command('demo')
    .description(
      'run an example event in its second day, with simulated teams, and keep its data in data-demo',
    )
    .option('--port <number>', 'port; without it PORT, or 3000', upTo(MAX_PORT))
    .option('--teams <count>', `registered teams, up to ${MAX_DEMO_TEAMS}`, upTo(MAX_DEMO_TEAMS))
    .addOption(new Option('--phase <phase>', 'opening: it starts in half a minute').choices(PHASES))
    .option('--speed <factor>', 'how much faster than people the teams play', parseSpeed, 1)
    .option('--fresh', 'start over: delete the data of earlier runs')
    .addOption(
      new Option(
        '--public',
        'safe to expose: read-only organiser, starts over regularly, data in data-demo-public',
      ).conflicts(['phase', 'fresh']),
    )
    .option('--origin <address>', 'with --public: address of the site, as visitors type it')
    .option('--host <address>', 'with --public: address to listen on', '127.0.0.1')
    .option('--trust <range>', 'with --public: proxy whose headers count (repeatable)', collect, ['loopback'])
    .option('--reset-minutes <count>', 'with --public: time between resets', upTo(MAX_RESET_MINUTES), 60)
    .action(async (given: Omit<DemoCommand & PublicDemoCommand, 'port'> & { readonly public?: boolean }) => {
      const options = { port: Number(context.env['PORT'] ?? DEFAULT_PORT), ...given }
      if (options.public) await (await import('./public-demo.ts')).publicDemo(context, options)
      else await (await import('./demo.ts')).demo(context, options)
    })
}

/** Parses a number from 1 to `max`. */
function upTo(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!/^\d+$/.test(text) || count < 1 || count > max)
      throw new InvalidArgumentError(`Must be a number from 1 to ${max}.`)
    return count
  }
}

function parseSpeed(text: string): number {
  const speed = Number(text)
  if (!(speed > 0)) throw new InvalidArgumentError('Must be above 0.')
  return speed
}
