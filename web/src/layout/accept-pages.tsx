import { Fragment, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { acceptPages } from '@pennant/contract/pages.ts'
import { useQueryClient } from '@tanstack/react-query'
import { send } from '../api/client.ts'
import { acceptancesQuery, usePagesToAccept, type PageLink } from '../api/pages.ts'
import { useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { takeAgreed } from '../state/agreed.ts'
import { pagesMessages } from '../text/en/pages.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { useFailureMessage } from './use-failure-message.ts'

/** The pages that the own team has to accept. */
export function AcceptPagesText() {
  const text = useMessages(pagesMessages)
  return (
    <>
      {text.mustAccept}{' '}
      {usePagesToAccept().map(({ slug, title }, at) => (
        <Fragment key={slug}>
          {at > 0 && ', '}
          <Link to={paths.page(slug)}>
            <bdi>{title}</bdi>
          </Link>
        </Fragment>
      ))}
    </>
  )
}

export function AcceptPagesButton() {
  const text = useMessages(pagesMessages)
  const pages = usePagesToAccept()
  const accept = useAcceptPages()
  const failureMessage = useFailureMessage()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const start = async (accepted: Parameters<typeof accept>[0]) => {
    setBusy(true)
    setFailure(await failureMessage(accept(accepted)))
    setBusy(false)
  }
  const name = useOwnTeam().team?.name ?? ''
  useEffect(() => {
    const agreed = takeAgreed(name)
    if (agreed.length > 0) void start(agreed)
    // Once for each team.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [name])
  return (
    <>
      <Button busy={isBusy} onClick={() => void start(pages)}>
        {text.accept}
      </Button>
      {failure !== null && <span role="alert">{failure}</span>}
    </>
  )
}

/** Returns what accepts pages for the own team. */
function useAcceptPages() {
  const queries = useQueryClient()
  return async (pages: readonly Pick<PageLink, 'slug' | 'version'>[]) => {
    const body = { pages: pages.map(({ slug, version }) => ({ slug, version })) }
    const response = await send(acceptPages, { body })
    await queries.invalidateQueries({ queryKey: acceptancesQuery.queryKey })
    return response
  }
}
