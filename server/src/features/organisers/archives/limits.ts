import { challengeLimits } from '@pennant/contract/admin-challenges.ts'

// Limits of challenge folders and archives. A folder on disk has the same limits as one in an archive.

const KIB = 1024
const MIB = 1024 * KIB

/** Far above any contest: the largest ones have about 200 challenges. */
export const MAX_CHALLENGES = 1000

/** An author's folder may contain sources too; each entry takes about a kilobyte of memory. */
export const MAX_ENTRIES = 20_000

/** A document is a few kilobytes. What parsing costs is bounded by `MAX_TOKENS`. */
export const MAX_DOCUMENT_BYTES = 128 * KIB

/** All documents of a folder tree: more than a thousand challenges of the usual size. */
export const MAX_TOTAL_DOCUMENT_BYTES = 4 * MIB

/** Texts beside a document, whose characters the API limits. One of UTF-16 has up to three bytes in UTF-8. */
export const MAX_TEXT_BYTES = 3 * Math.max(challengeLimits.description, challengeLimits.botCode)

/** All texts of a folder tree, which are in memory at the same time. */
export const MAX_TOTAL_TEXT_BYTES = 64 * MIB

/** Files that all challenges list together: one file can be listed often, under different names. */
export const MAX_LISTED_FILES = 20_000

/** Nested values of one document: a map with thousands of keys is no challenge. */
export const MAX_NODES = 10_000

/**
 * Words and signs of one document, before it is parsed: values, errors, anchors and comments each consist of some. A document
 * with `MAX_NODES` values has fewer. Hostile ones of this size take a few hundred milliseconds of processor time.
 */
export const MAX_TOKENS = 6 * MAX_NODES

/** JSON of the API may have 64 levels, of which the request takes a few. */
export const MAX_DEPTH = 60

/** File systems limit names to 255 bytes; a path of this length can be extracted everywhere. */
export const MAX_PATH_LENGTH = 1000

/** Folders inside of each other, the file included. Dependencies that an author packed reach about 20. */
export const MAX_PATH_PARTS = 40

/**
 * Unpacked bytes of an archive, as a multiple of the largest upload: distributed files are mostly compressed
 * already.
 */
export const MAX_UNPACKED_UPLOADS = 4

/** Deflate reaches 1032. Memory dumps, the most compressible of real files, stay below 100. */
export const MAX_RATIO = 200

/** Smaller entries may have any ratio: a short text of equal letters is no bomb. */
export const RATIO_FREE_BYTES = MIB

/** A longer description is written to a file of its own, so that the document stays readable. */
export const MAX_INLINE_LENGTH = 8 * KIB
