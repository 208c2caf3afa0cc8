import { serveTask } from './lib/isolated.ts'

// The program that `runIsolated` starts.

serveTask({
  'challenge-archive': async () =>
    (await import('./features/challenge-archive/read-archive.ts')).readArchiveParts,
  contest: async () => (await import('./import/upload/contest-parts.ts')).readContestParts,
})
