/** What the editor of an admin bot says of the names that authors have: docs/author/admin-bot.md. */
export const botApi = {
  options: {
    timeoutMilliseconds: 'The limit of the handler; required.',
    inputs: 'What a team sends, each a text in which the pattern is found; required.',
    handler: 'The visit; required.',
    browser: 'A worker without it refuses the code. Default: chrome.',
    browserVersion: 'Only stable.',
    browserArguments: 'In place of the usual arguments: no compilers, 512 MiB heap.',
    extraPrefsFirefox: 'In place of the usual preferences: no compilers.',
    launchOptionsExtra:
      'More launch options of Playwright; program, proxy, environment and sandbox stay the worker’s.',
    maxLogLines: 'Newest lines that are kept, 64.',
    maxLogValueChars: 'Where the texts of lines are cut, 2048.',
    restrictDomains: 'Narrows where the visit may go.',
    requireInstancerInstancesRunning:
      'The team’s instance must run for the whole limit; fills job.instancerInstances.',
    hooksConfig: 'What of the browser the team sees, and what is done about dialogs and tabs.',
  },
  input: {
    pattern: 'Looked for anywhere in a text of up to 1024 characters.',
    flags: 'Flags of the pattern.',
  },
  hooks: {
    showConsoleLogs: 'What pages write to their console. A page can write its cookies there.',
    showBrowserErrors: 'Errors of scripts, requests that failed, pages that crashed.',
    showNavigation: 'Where tabs go.',
    showDialogs: 'Texts of alerts and their like.',
    autoDismissDialogs:
      'Dismisses them at once. Without it they are dismissed unless the handler listens to them.',
    limitTabsNumber: 'Tabs beyond it are closed as they open; -1 for no limit.',
    limitTabsNumberShowError: 'Whether the team is told of a closed tab.',
  },
  domains: {
    host: 'Rules for hosts, asked first.',
    url: 'Rules for addresses; of an encrypted request only https://host:port/ is known.',
  },
  rules: {
    allowRegex: 'Found anywhere, it may be visited.',
    disallowRegex: 'Found anywhere, it may not; asked after those that allow.',
  },
  visit: {
    browserContext: 'Playwright’s, fresh: no cookies, no storage, no tabs.',
    input: 'What the team has sent, by name.',
    job: 'What is visited for whom, with the flag.',
    output: 'Lines for the team.',
    logger: 'Lines for operators alone.',
  },
  job: {
    challengeId: 'The id of the challenge.',
    configRevision: 'Which version of the code runs.',
    userId: 'The id of the team.',
    submittedAt: 'When it was sent, ISO 8601.',
    flag: 'The first of the flags, empty when there is none.',
    flags: 'All flags that have a value for this team.',
    instancerInstances: 'Filled when the challenge requires a running instance.',
  },
  instance: {
    type: 'How it is reached.',
    host: 'Its host.',
    port: 'Its port.',
    title: 'The name of the port, where it has one.',
  },
  output: {
    info: 'A line for the team.',
    warn: 'A warning for the team.',
    error: 'An error for the team.',
    fatal: 'The error that ended the visit, for the team.',
  },
  logger: {
    info: 'A line for operators.',
    warn: 'A warning for operators.',
    error: 'An error for operators.',
  },
  browserContext: {
    newPage: 'Opens a tab.',
    addCookies: 'Sets cookies, each with name, value and url, or domain and path.',
    addInitScript: 'Runs in every page before its own scripts.',
    clearCookies: 'Removes all cookies.',
    route: 'Answers or changes requests.',
  },
  page: {
    goto: 'Opens an address and waits until it is loaded.',
    waitForTimeout: 'Stays on the page for a while.',
    waitForSelector: 'Waits until an element is there.',
    locator: 'Elements to act on.',
    fill: 'Puts a text into a field.',
    click: 'Presses an element.',
    evaluate: 'Runs a script in the page.',
    on: 'Listens to the page, as to its dialogs.',
    url: 'The address of the page now.',
    close: 'Closes the tab.',
  },
}

export type BotApiWords = typeof botApi
