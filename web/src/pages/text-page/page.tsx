import { readPage } from '@pennant/contract/pages.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useId, useRef, useState, type RefObject } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { requestData } from '../../api/client.ts'
import { configQuery } from '../../api/queries.ts'
import { usePageLinks, usePagesToAccept } from '../../api/pages.ts'
import { useFailure } from '../../api/use-failure.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { PlainPage } from '../../layout/states/plain-page.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { inPlace, paths } from '../../paths.ts'
import { useLanguage } from '../../state/preferences.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { notFoundMessages } from '../../text/en/not-found.ts'
import { pagesMessages } from '../../text/en/pages.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { languageLabel } from '../../text/language-label.ts'
import styles from './text-page.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

/** The page that says how personal data is used: docs/operate/personal-data.md */
const PRIVACY = 'privacy'

interface Wanted {
  readonly slug: string
  readonly language: string
  /** Of the link: a new version is another query. */
  readonly version: number
}

function pageQuery({ slug, language, version }: Wanted) {
  return queryOptions({
    queryKey: ['pages', slug, language, version],
    queryFn: ({ signal }) => requestData(readPage, { params: { slug }, query: { language } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
}

/** A page of the organisers, such as rules. */
export function Component() {
  const { slug = '' } = useParams()
  const config = useQuery(configQuery)
  const link = usePageLinks().find((each) => each.slug === slug)
  const failure = useFailure(config)
  if (link) return <TextPage key={slug} slug={slug} version={link.version} />
  if (config.data) return <Missing />
  return (
    <div className={styles.page}>
      <LoadState failure={failure}>
        <Skeleton rows={6} />
      </LoadState>
    </div>
  )
}

function Missing() {
  const text = useMessages(pagesMessages)
  const frame = useMessages(frameMessages)
  const notFound = useMessages(notFoundMessages)
  return (
    <PlainPage title={notFound.title}>
      <EmptyState action={<Link to={paths.home()}>{frame.home}</Link>}>{text.missing}</EmptyState>
    </PlainPage>
  )
}

interface TextPageProps {
  readonly slug: string
  readonly version: number
}

function TextPage({ slug, version }: TextPageProps) {
  const text = useMessages(pagesMessages)
  const format = useFormat()
  const own = useLanguage()
  const [search] = useSearchParams()
  const language = search.get('language') ?? own
  const query = useQuery(pageQuery({ slug, language, version }))
  const failure = useFailure(query)
  const body = useRef<HTMLDivElement>(null)
  usePageTitle(query.data?.title ?? slug)
  if (!query.data)
    return (
      <div className={styles.page}>
        <LoadState failure={failure}>
          <Skeleton rows={6} />
        </LoadState>
      </div>
    )
  const { title, content, languages, editedAt } = query.data
  const isForeign = query.data.language.split('-', 1)[0]?.toLowerCase() !== own
  return (
    <article className={styles.page}>
      <h1 lang={query.data.language}>
        <bdi>{title}</bdi>
      </h1>
      {isForeign && search.get('language') === null && <p className="pn-muted">{text.otherLanguage}</p>}
      {languages.length > 1 && <Languages current={query.data.language} languages={languages} />}
      <Suspense fallback={<Skeleton rows={6} />}>
        <Contents key={content} of={body} />
        <div ref={body} lang={query.data.language} className={styles.body}>
          <Markdown text={withoutTitle(content, title)} />
        </div>
      </Suspense>
      <p className={styles.facts}>
        {text.edited(format.dateTime(editedAt))}
        <Accepted slug={slug} />
        {slug === PRIVACY && (
          <>
            {' · '}
            <Link to={paths.yourData()}>{text.yourData}</Link>
          </>
        )}
      </p>
    </article>
  )
}

function Accepted({ slug }: { readonly slug: string }) {
  const text = useMessages(pagesMessages)
  const isRequired = usePageLinks().some((each) => each.slug === slug && each.acceptVersion !== undefined)
  const isMissing = usePagesToAccept().some((each) => each.slug === slug)
  const { team } = useOwnTeam()
  return isRequired && team?.perms === 0 && !isMissing ? ` · ${text.accepted}` : null
}

/** Without a first heading that repeats the title. */
function withoutTitle(content: string, title: string): string {
  return content.replace(/^\s*# +(.*)\n?/, (line, heading: string) => (heading.trim() === title ? '' : line))
}

interface LanguagesProps {
  readonly current: string
  readonly languages: readonly string[]
}

function Languages({ current, languages }: LanguagesProps) {
  const text = useMessages(pagesMessages)
  return (
    <nav aria-label={text.languages} className={styles.languages}>
      {languages.map((language) => (
        <Link
          key={language}
          lang={language}
          hrefLang={language}
          to={`?${new URLSearchParams({ language })}`}
          {...inPlace({ language })}
          aria-current={language === current ? 'true' : undefined}
        >
          {languageLabel(language)}
        </Link>
      ))}
    </nav>
  )
}

interface Heading {
  readonly id: string
  readonly level: number
  readonly title: string
}

/** Shorter pages need no table of contents. */
const MIN_HEADINGS = 4

/** Links to the headings of the text, in whose element they are found once it is shown. */
function Contents({ of }: { readonly of: RefObject<HTMLElement | null> }) {
  const text = useMessages(pagesMessages)
  const prefix = useId()
  const [headings, setHeadings] = useState<readonly Heading[]>([])
  useEffect(() => {
    const found = Array.from(of.current?.querySelectorAll<HTMLElement>('h1, h2, h3') ?? [])
    setHeadings(
      found.map((heading, at) => {
        heading.id = `${prefix}-${at}`
        // Links inside the page move the focus, so that the next Tab continues there.
        heading.tabIndex = -1
        return { id: heading.id, level: Number(heading.tagName.slice(1)), title: heading.textContent }
      }),
    )
  }, [of, prefix])
  if (headings.length < MIN_HEADINGS) return null
  return (
    <nav aria-label={text.contents} className={styles.contents}>
      <p>{text.contents}</p>
      <ul>
        {headings.map(({ id, level, title }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`}>
              <bdi>{title}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
