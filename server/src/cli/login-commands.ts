import { Option, type Command } from 'commander'
import { allScopes } from '@pennant/contract/scopes.ts'
import type { LoginCommand } from './login.ts'
import type { ProcessContext } from './process-context.ts'

const urlOption = ['--url <address>', 'address of the site, instead of PENNANT_URL'] as const

/** `pennant login` and `logout`: a token for the commands that work with a site over HTTP. */
export function addLoginCommands(program: Command, context: ProcessContext): void {
  program
    .command('login')
    .description('sign this program in at a site: you confirm in a browser, on any machine')
    .option(...urlOption)
    .addOption(
      new Option('--scope <scope...>', 'what the token may do, instead of what `challenges` needs')
        .choices(allScopes)
        .default([], 'read challenges:read challenges:write'),
    )
    .option('--name <name>', 'name of the token, instead of the name of this machine')
    .option('--no-browser', 'do not open a browser')
    .action(async (options: LoginCommand) => (await import('./login.ts')).login(context, options))
  program
    .command('logout')
    .description('revoke the token of a login and forget it')
    .option(...urlOption)
    .action(async (options: { url?: string }) => (await import('./login.ts')).logout(context, options))
}
