import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { OWN_KEY } from '../../../api/queries.ts'
import { divisionName, useConfig, useGate, useIsOver, useOwnTeam } from '../../../api/use-contest.ts'
import { useFailure } from '../../../api/use-failure.ts'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { logoUrl } from '../../../layout/logo.tsx'
import { serverNow } from '../../../state/clock.ts'
import { useTheme } from '../../../state/preferences.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { useSuccess } from '../../../ui/buttons/use-success.ts'
import { Switch } from '../../../ui/fields/choices.tsx'
import { Select } from '../../../ui/fields/inputs.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import type { Line } from '../../../ui/plots/draw.ts'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from './dialogs.module.css'
import { useGraphLines } from '../graph/graph-data.ts'
import { loadRows } from './load-rows.ts'
import { loadImages } from './picture-images.ts'
import { drawPicture, type Picture } from './picture.ts'
import type { BoardRow } from '../use-board.ts'

const COUNTS = [10, 25, 50]
const FILE_NAME = 'scoreboard.png'

interface PictureDialogProps {
  readonly division: string | undefined
  readonly track: string | undefined
  readonly total: number
  readonly onClose: () => void
}

/** Creates an image of the top teams to save, copy or share. */
export function PictureDialog({ division, track, onClose }: PictureDialogProps) {
  const text = useMessages(scoresMessages)
  const [count, setCount] = useState(10)
  const [theme, setTheme] = useState(useTheme())
  const [hasGraph, setHasGraph] = useState(true)
  const [hasOwn, setHasOwn] = useState(true)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { picture, images, failure } = usePicture({ division, track }, { count, theme, hasGraph, hasOwn })
  const { team } = useOwnTeam()
  useEffect(() => {
    if (canvas.current && picture && images) drawPicture(canvas.current, picture, images)
  }, [picture, images])
  const isReady = picture !== undefined && images !== undefined
  const themes = (['dark', 'light'] as const).map((value) => ({ value, label: text.themes[value] }))
  return (
    <Dialog
      open
      size="medium"
      onClose={onClose}
      title={text.imageTitle}
      actions={<Actions canvas={canvas} isReady={isReady} />}
    >
      <div className={styles.choices}>
        <Select
          label={text.teams}
          value={String(count)}
          onChange={(value) => setCount(Number(value))}
          choices={COUNTS.map((each) => ({ value: String(each), label: text.top(each) }))}
        />
        <Select
          label={text.theme}
          value={theme}
          onChange={(value) => setTheme(value === 'light' ? 'light' : 'dark')}
          choices={themes}
        />
        <Switch label={text.withGraph} checked={hasGraph} onChange={setHasGraph} />
        {team && <Switch label={text.withOwn} checked={hasOwn} onChange={setHasOwn} />}
      </div>
      {!isReady && (
        <LoadState failure={failure}>
          <Skeleton height="16rem" />
        </LoadState>
      )}
      <canvas
        ref={canvas}
        className={styles.canvas}
        role="img"
        aria-label={text.imageTitle}
        hidden={!isReady}
      />
    </Dialog>
  )
}

interface Choices {
  readonly count: number
  readonly theme: 'dark' | 'light'
  readonly hasGraph: boolean
  readonly hasOwn: boolean
}

/** Prepares the image. `picture` and `images` are undefined until they are loaded; `failure` has the error. */
function usePicture({ division, track }: Pick<PictureDialogProps, 'division' | 'track'>, choices: Choices) {
  const { isEarly } = useGate('leaderboardRead')
  const queries = useQueryClient()
  const { count, hasGraph } = choices
  const rows = useQuery({
    queryKey: [...(isEarly ? [OWN_KEY] : []), 'board-picture', division, track, count],
    queryFn: () => loadRows(queries, { division, track, count, bypass: isEarly }),
  })
  const graph = useGraphLines({ division, track, wanted: hasGraph })
  const lines = hasGraph ? graph.lines : []
  const picture = useLayout({ division, track }, { ...choices, rows: rows.data, lines })
  const images = useImages(picture)
  const failed = rows.failureReason ? rows : graph.query
  return { picture, images, failure: useFailure({ ...failed, data: picture }) }
}

function useImages(picture: Picture | undefined) {
  const logo = logoUrl(useConfig(), picture?.theme ?? 'dark')
  const teams = picture?.rows ?? []
  return useQuery({
    queryKey: [
      'board-images',
      logo,
      teams.map(({ id, avatarUrl, countryCode }) => [id, avatarUrl, countryCode]),
    ],
    queryFn: () => loadImages({ logo, teams }),
    enabled: picture !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Canvas images are no data that could be compared.
    structuralSharing: false,
  }).data
}

interface Parts extends Choices {
  readonly rows: readonly BoardRow[] | undefined
  readonly lines: readonly Line[] | undefined
}

function useLayout(
  { division, track }: Pick<PictureDialogProps, 'division' | 'track'>,
  parts: Parts,
): Picture | undefined {
  const { rows, lines, theme, hasOwn } = parts
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const config = useConfig()
  const isOver = useIsOver()
  const { team } = useOwnTeam()
  const [now] = useState(serverNow)
  if (!rows || !lines || !config) return undefined
  const shown = rows.map((row) => {
    const place = division === undefined ? row.globalPlace : row.divisionPlace
    return { ...row, place, isOwn: hasOwn && row.id === team?.id }
  })
  const ownPlace = division === undefined ? team?.globalPlace : team?.divisionPlace
  const isMissing = hasOwn && team !== undefined && !shown.some(({ id }) => id === team.id)
  const isHere = (track ?? 'main') === 'main' && (division === undefined || division === team?.division)
  const own =
    isMissing && isHere && typeof ownPlace === 'number' ? [{ ...team, place: ownPlace, isOwn: true }] : []
  const state = isOver ? text.final : text.provisional
  return {
    title: config.ctfName,
    subtitle: [division && divisionName(config.divisions, division), format.dateTime(now), state]
      .filter(Boolean)
      .join(' · '),
    rows: [...shown, ...own].map(({ id, place, name, score, isOwn, avatarUrl, countryCode }) => ({
      id,
      rank: place,
      place: place === null ? '' : format.number(place),
      name,
      score: format.number(score),
      isOwn,
      avatarUrl,
      countryCode,
    })),
    lines: lines.filter(({ isOwn }) => hasOwn || !isOwn),
    now,
    theme,
    number: format.number,
  }
}

interface ActionsProps {
  readonly canvas: React.RefObject<HTMLCanvasElement | null>
  /** Whether the image shows the current choices. */
  readonly isReady: boolean
}

/** Save, copy, and share if the system supports it. */
function Actions({ canvas, isReady }: ActionsProps) {
  const text = useMessages(scoresMessages)
  const copied = useSuccess(text.copied)
  const [failure, setFailure] = useState<string>()
  const make = () =>
    new Promise<Blob>((resolve, reject) => {
      canvas.current?.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No image'))), 'image/png')
    })
  const attempt = (action: () => Promise<void>) => () => {
    setFailure(undefined)
    action().catch((error: unknown) => {
      // Cancelling the system's share dialog is not an error.
      if ((error as Error).name !== 'AbortError') setFailure(text.imageFailed)
    })
  }
  const save = async () => {
    const href = URL.createObjectURL(await make())
    Object.assign(document.createElement('a'), { href, download: FILE_NAME }).click()
    URL.revokeObjectURL(href)
  }
  const copy = async () => {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': make() })])
    copied.show()
  }
  const share = async () => {
    await navigator.share({ files: [new File([await make()], FILE_NAME, { type: 'image/png' })] })
  }
  const disabledBecause = isReady ? undefined : text.imageNotYet
  return (
    <>
      <span role="alert">{failure}</span>
      {'share' in navigator && (
        <Button {...{ disabledBecause }} onClick={attempt(share)}>
          {text.share}
        </Button>
      )}
      {'ClipboardItem' in globalThis && (
        <Button {...{ disabledBecause }} success={copied} onClick={attempt(copy)}>
          {text.copy}
        </Button>
      )}
      <Button tone="primary" icon="download" {...{ disabledBecause }} onClick={attempt(save)}>
        {text.save}
      </Button>
    </>
  )
}
