import { catalogue } from '../catalogue.ts'

/** Completions of the admin bot editor, one for each name of the bot API: docs/author/admin-bot.md. */
export const botApiMessages = catalogue('botApi', {
  options: {
    timeoutMilliseconds: 'Time limit of the handler. Required.',
    inputs: 'Inputs that teams submit. Each must match its pattern. Required.',
    handler: 'Runs the visit. Required.',
    browser: 'Workers without this browser refuse the code. Default: chrome.',
    browserVersion: 'Only stable is supported.',
    browserArguments: 'Replaces the default arguments (no JIT, no WebAssembly, 512 MiB heap).',
    extraPrefsFirefox: 'Replaces the default preferences (no JIT, no WebAssembly).',
    launchOptionsExtra:
      'Extra Playwright launch options. The worker keeps control of the executable, proxy, environment and sandbox.',
    maxLogLines: 'Number of log lines to keep, newest first. Default: 64.',
    maxLogValueChars: 'Maximum length of a log line. Default: 2048.',
    restrictDomains: 'Restricts which addresses the visit can open.',
    requireInstancerInstancesRunning:
      'Requires the team’s instance to run for the whole time limit. Fills job.instancerInstances.',
    hooksConfig: 'Which browser events the team sees, and how dialogs and tabs are handled.',
  },
  input: {
    pattern: 'Matches anywhere in the input (up to 1024 characters).',
    flags: 'Regular expression flags.',
  },
  hooks: {
    showConsoleLogs: 'Shows console output. A page can log its cookies there.',
    showBrowserErrors: 'Shows script errors, failed requests and crashed pages.',
    showNavigation: 'Shows navigations.',
    showDialogs: 'Shows the text of alerts and other dialogs.',
    autoDismissDialogs:
      'Dismisses dialogs immediately. If off, they are dismissed only when the handler does not listen for them.',
    limitTabsNumber: 'Maximum number of tabs; more are closed as they open. -1: no limit.',
    limitTabsNumberShowError: 'Shows the team when a tab is closed by the limit.',
  },
  domains: {
    host: 'Rules for hosts, checked first.',
    url: 'Rules for URLs. For HTTPS requests, only https://host:port/ is known.',
  },
  rules: {
    allowRegex: 'A match allows the visit.',
    disallowRegex: 'A match blocks the visit. Checked after the allow rules.',
  },
  visit: {
    browserContext: 'A fresh Playwright browser context without cookies, storage or tabs.',
    input: 'The team’s inputs by name.',
    job: 'The challenge, team and flags of this visit.',
    output: 'Writes log lines that the team sees.',
    logger: 'Writes log lines that only operators see.',
  },
  job: {
    challengeId: 'The challenge ID.',
    configRevision: 'The version of the code that runs.',
    userId: 'The team ID.',
    submittedAt: 'Submission time (ISO 8601).',
    flag: 'The first flag, or an empty string.',
    flags: 'All flags for this team.',
    instancerInstances: 'The team’s running instances. Requires requireInstancerInstancesRunning.',
  },
  instance: {
    type: 'Protocol of the endpoint.',
    host: 'Host name.',
    port: 'Port number.',
    title: 'Title of the port, if set.',
  },
  output: {
    info: 'Logs a message for the team.',
    warn: 'Logs a warning for the team.',
    error: 'Logs an error for the team.',
    fatal: 'Logs the error that ended the visit for the team.',
  },
  logger: {
    info: 'Logs a message for operators.',
    warn: 'Logs a warning for operators.',
    error: 'Logs an error for operators.',
  },
  browserContext: {
    newPage: 'Opens a tab.',
    addCookies: 'Sets cookies with name, value and either url or domain and path.',
    addInitScript: 'Runs in every page before its own scripts.',
    clearCookies: 'Removes all cookies.',
    route: 'Intercepts requests.',
  },
  page: {
    goto: 'Opens a URL and waits until it has loaded.',
    waitForTimeout: 'Waits for a number of milliseconds.',
    waitForSelector: 'Waits until an element appears.',
    locator: 'Finds elements to act on.',
    fill: 'Fills in a field.',
    click: 'Clicks an element.',
    evaluate: 'Runs a script in the page.',
    on: 'Listens for page events, such as dialogs.',
    url: 'The current URL of the page.',
    close: 'Closes the tab.',
  },
})

export type BotApiMessages = typeof botApiMessages.english
