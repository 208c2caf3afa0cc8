import { isLink, isPicture } from '@pennant/contract/fields.ts'
import type { ImportedContest } from './contest.ts'
import type { Report } from './report.ts'

/** Leaves out addresses that organisers could not save either, because a page must not link to them. */
export function withSafeLinks(contest: ImportedContest, report: Report): ImportedContest {
  const keep = (isSafe: boolean, where: string) => {
    if (!isSafe)
      report.loss(
        'links',
        'Addresses are neither http, https nor paths of the site; they are left out.',
        where,
      )
    return isSafe
  }
  const { faviconUrl, logoLightUrl, logoDarkUrl, meta, sponsors, ...others } = contest.settings
  const pictures = Object.entries({ faviconUrl, logoLightUrl, logoDarkUrl }).filter(
    ([key, url]) => url !== undefined && keep(isPicture(url), key),
  )
  const { imageUrl = '', ...text } = meta ?? {}
  return {
    ...contest,
    challenges: contest.challenges.map((challenge) => ({
      ...challenge,
      files: challenge.files.filter(({ url }) => keep(isLink(url), challenge.name)),
    })),
    settings: {
      ...others,
      ...Object.fromEntries(pictures),
      ...(meta && { meta: keep(isPicture(imageUrl), 'meta.imageUrl') ? meta : text }),
      ...(sponsors && {
        sponsors: sponsors.map(({ icon, url, ...sponsor }) => ({
          ...sponsor,
          icon: keep(isPicture(icon), sponsor.name) ? icon : '',
          ...(url !== undefined && keep(isLink(url), sponsor.name) && { url }),
        })),
      }),
    },
  }
}
