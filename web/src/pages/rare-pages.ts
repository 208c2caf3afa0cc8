/** Pages that few players open: each is loaded when it is first opened. */
export const rarePages = {
  device: () => import('./device/page.tsx'),
  join: () => import('./join/page.tsx'),
  providerReturn: () => import('./provider-return/page.tsx'),
  registration: () => import('./registration/page.tsx'),
  signInLink: () => import('./sign-in-link/page.tsx'),
  tracks: () => import('./tracks/page.tsx'),
  text: () => import('./text-page/page.tsx'),
  unsubscribe: () => import('./unsubscribe/page.tsx'),
  rankingReturn: () => import('./ranking-return/page.tsx'),
  yourData: () => import('./your-data/page.tsx'),
  consent: () => import('./consent/page.tsx'),
  recover: () => import('./recover/page.tsx'),
  notFound: () => import('./not-found/page.tsx'),
} as const
