/**
 * The one list of what the bundler groups beyond its own rules and of the parts that have a budget. Read by
 * the build (`common-modules.ts`, `page-chunks.ts`) and by `npm run budgets`. Module paths are relative to
 * `web`.
 */

/**
 * What most players' pages use belongs to the first files: as separate chunks, each page would need ten more
 * requests, which is slow on a slow phone. `npm run budgets` reports the remaining budget.
 */
export const COMMON: readonly string[] = [
  'src/account/account-page.tsx',
  'src/account/failure-line.tsx',
  'src/api/use-failure.ts',
  'src/api/use-latest-solves.ts',
  'src/challenge/challenge.module.css',
  'src/challenge/flag-example.ts',
  'src/challenge/live.module.css',
  'src/layout/states/load-state.tsx',
  'src/layout/states/not-open-yet.tsx',
  'src/layout/states/sign-in-first.tsx',
  'src/layout/use-captcha.tsx',
  // These pages would need one more request for their own style sheet, beyond their budget.
  'src/layout/announcement-list/announcement-list.module.css',
  'src/layout/next-wave/next-wave.module.css',
  'src/pages/home/announced.module.css',
  'src/pages/home/home.module.css',
  'src/pages/home/ended.module.css',
  'src/pages/home/results.module.css',
  // Of the home page after the end and of the ceremony, whose budget has no room for the rest of the home page.
  'src/ui/board/podium.tsx',
  'src/ui/board/podium.module.css',
  'src/pages/profile/profile.module.css',
  'src/pages/profile/timeline.module.css',
  // Of pages with forms for accounts, and of the panel of the admin bot.
  'src/state/use-wait.ts',
  'src/text/en/account.ts',
  // Of the flag box and of the fields for tokens.
  'src/text/invisible.ts',
  'src/ui/board/board.module.css',
  'src/ui/buttons/copy-button.tsx',
  'src/ui/data/country-flag.tsx',
  'src/ui/data/rows-in-view.ts',
  'src/ui/data/team-name.tsx',
  'src/ui/fields/choices.tsx',
  'src/ui/fields/inputs.tsx',
  'src/ui/fields/search-input.tsx',
  'src/ui/form.ts',
  'src/ui/keys/use-shortcuts.ts',
  'src/ui/layers/dialog.tsx',
  'src/ui/marks/bunting-line.tsx',
  'src/ui/marks/bunting.tsx',
  'src/ui/marks/category-mark.tsx',
  'src/ui/marks/cloth.tsx',
  'src/ui/marks/movement.tsx',
  'src/ui/marks/pennant.tsx',
  'src/ui/plots/labels.ts',
  'src/ui/plots/plots.module.css',
  'src/ui/plots/use-theme.ts',
  'src/ui/rich/rich.module.css',
  'src/ui/use-debounced-value.ts',
  'src/ui/use-media.ts',
  'uplot/dist/uPlot.min.css',
  // One route, which would be a file of its own.
  '@pennant/contract/submissions.ts',
]

/** Modules that belong to a page although their importers do not show it. */
export const MODULES_OF_PAGES: readonly (readonly [RegExp, string])[] = [
  // Part of a package that is imported as a whole.
  [/\/@tanstack\/.*\/(?:useQueries|queriesObserver)\.js$/, 'scores'],
  // The editor of organisers shows a challenge as players see it. It may load their page, but players need no file more.
  [
    /\/web\/src\/(?:challenge\/(?:file-facts|facts|files|statement)|text\/en\/(?:challenges|live-parts)|ui\/layers\/tabs)\.tsx?$/,
    'challenges',
  ],
  // Other pages with forms for accounts need these too; with the page to sign in they are one file, and nearly everyone opens it.
  [
    /\0contract:accounts\.ts$|\/web\/src\/account\/(?:autofocus|action-button|linked-token|pasted-token|ranking-\w+)\.tsx?$/,
    'sign-in',
  ],
]

/**
 * Modules that are needed at the same moment, each a file of its own by the bundler's rules: as one file they take one request
 * instead of ten, for each browser that opens the site at the start of an event. Their names differ from those of other files, such
 * as German texts, so that the recording of the benchmark says which is meant.
 */
export const TOGETHER: Readonly<Record<string, RegExp>> = {
  // The live stream, and what every page of a signed-in team shows beside its own content.
  'live-data': new RegExp(
    [
      /\0contract:(?:stream|announcements|messages|waves)\.ts$/,
      /\/eventsource-parser\//,
      /\/web\/src\/api\/(?:stream\/|(?:merge-announcements|announcements|messages|waves)\.ts$)/,
      /\/web\/src\/layout\/(?:announcement-list\/|blood-overlay\/use-blood-toasts|next-wave)/,
      /\/web\/src\/pages\/home\/announced/,
      /\/web\/src\/state\/(?:read-announcements|sounds)\.ts$/,
      /\/web\/src\/text\/en\/(?:announcements|waves)\.ts$/,
    ]
      .map(({ source }) => source)
      .join('|'),
  ),
}

interface Part {
  readonly kb: number
  /** The page whose budget includes the part; other pages do not count it. */
  readonly page?: string
  /** The page whose files are there before the part is loaded. */
  readonly within?: string
}

/** Heavy parts that several pages share, and parts that a page loads later, each with its budget in KB. */
export const PARTS: Readonly<Record<string, Part>> = {
  'src/ui/rich/render-markdown.ts': { kb: 30, page: 'challenges' },
  // Loaded for texts with formulas, or with code of a language.
  'src/ui/rich/typeset.ts': { kb: 60 },
  'src/ui/rich/highlight.ts': { kb: 33 },
  'src/ui/plots/draw.ts': { kb: 26, page: 'scores' },
  'src/ui/rich/code-mirror.ts': { kb: 120, page: 'admin-challenges' },
  // Loaded once, after the first page.
  'src/api/stream/follow.ts': { kb: 12 },
  // Loaded for challenges that need them, or in a wide viewport.
  'src/challenge/instance-panel.tsx': { kb: 6, within: 'challenges' },
  'src/pages/challenges/solves/bloods.tsx': { kb: 3, within: 'challenges' },
  'src/pages/challenges/hints/hints.tsx': { kb: 5, within: 'challenges' },
  'src/pages/challenges/bot/bot-panel.tsx': { kb: 4, within: 'challenges' },
  'src/pages/challenges/bot/bot-source.tsx': { kb: 1, within: 'challenges' },
  'src/pages/challenges/solves/scores.tsx': { kb: 2, within: 'challenges' },
  // Loaded on interaction.
  'src/pages/dashboard/screen-composer.tsx': { kb: 4 },
  'src/pages/challenges/solves/solves.tsx': { kb: 1, within: 'challenges' },
  'src/ui/rich/typescript.ts': { kb: 58 },
  'src/ui/captcha/captcha-gate.tsx': { kb: 2 },
  'src/account/qr-path.ts': { kb: 4 },
  // 13 KB of it are the scoreboard's own, which is there before the dialog opens.
  'src/pages/scores/export/picture-dialog.tsx': { kb: 20 },
  'src/pages/scores/export/print-dialog.tsx': { kb: 2 },
  'src/pages/scores/replay/replay.tsx': { kb: 4 },
}
