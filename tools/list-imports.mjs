/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {number} line counted from 1
 * @property {boolean} isType `import type` and `export type`: nothing is loaded
 */

/**
 * The specifiers of `import`, `export … from`, `import()` and `import('…').Type`.
 * TypeScript 7 has no stable interface to its parser, so this reads tokens itself.
 * @param {string} source
 * @returns {Import[]}
 */
export function listImports(source) {
  const tokens = tokenize(source);
  /** @type {Import[]} */
  const found = [];
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' || is(tokens[at - 1], '.')) return;
    const specifier =
      token.text === 'import'
        ? importedBy(tokens, at + 1)
        : token.text === 'export'
          ? exportedFrom(tokens, at + 1)
          : undefined;
    if (specifier !== undefined) {
      const isType = is(tokens[at + 1], 'type') && !is(tokens[at + 2], 'from') && !is(tokens[at + 2], ',');
      found.push({ specifier: specifier.text, line: token.line, isType });
    }
  });
  return found;
}

/**
 * @param {readonly Token[]} tokens
 * @param {number} at the token after `import`
 */
function importedBy(tokens, at) {
  const next = tokens[at];
  if (next?.kind === 'string') return next;
  if (is(next, '(')) return tokens[at + 1]?.kind === 'string' ? tokens[at + 1] : undefined;
  return stringAfterFrom(tokens, at);
}

/**
 * @param {readonly Token[]} tokens
 * @param {number} at the token after `export`
 */
function exportedFrom(tokens, at) {
  const start = is(tokens[at], 'type') ? at + 1 : at;
  return is(tokens[start], '{') || is(tokens[start], '*') ? stringAfterFrom(tokens, start) : undefined;
}

/**
 * @param {readonly Token[]} tokens
 * @param {number} at
 */
function stringAfterFrom(tokens, at) {
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i];
    const next = tokens[i + 1];
    if (is(token, 'from') && next?.kind === 'string') return next;
    // Anything that cannot stand between the keyword and `from` ends the search.
    if (token?.kind === 'other' && !'{},*'.includes(token.text)) return undefined;
    if (is(token, '}') && !is(next, 'from')) return undefined;
  }
  return undefined;
}

/**
 * Whether the token is this word or character, and not a string that holds it.
 * @param {Token | undefined} token
 * @param {string} text
 */
function is(token, text) {
  return token?.kind !== 'string' && token?.text === text;
}

/** @typedef {{ kind: 'word' | 'string' | 'other', text: string, line: number }} Token */

const BLANK = /\s+|\/\/.*|\/\*[^]*?\*\//y;
const WORD = /[\w$#\u0080-\uffff]+/y;
const STRING = /'(?:\\[^]|[^'\\\n])*'?|"(?:\\[^]|[^"\\\n])*"?/y;
const TEMPLATE_PART = /(?:\\[^]|\$(?!\{)|[^`\\$])*/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
const POSTFIX = /\+\+|--|!(?!=)/y;

// After these a slash begins a regular expression; after other words it divides.
const BEFORE_OPERAND =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof|default|extends)$/;
const BEFORE_CONDITION = /^(?:if|while|for|with)$/;

/**
 * Words, strings (without their quotes; a template without `${}` counts as one) and single characters.
 * Comments and regular expressions are left out. Not a judge of syntax: tsc is.
 * @param {string} source
 * @returns {Token[]}
 */
function tokenize(source) {
  /** @type {Token[]} */
  const tokens = [];
  // What each open bracket returns to: `(` of a condition, a `${` of a template, or neither.
  /** @type {('condition' | 'template' | 'plain')[]} */
  const open = [];
  let at = 0;
  let line = 1;
  let afterOperand = false;

  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0] ?? '';
    at += text.length;
    line += text.split('\n').length - 1;
    return text;
  };
  /** @param {Token['kind']} kind @param {string} text @param {number} [start] */
  const add = (kind, text, start = line) => void tokens.push({ kind, text, line: start });
  /** Reads on in a template until it ends or a `${` opens. @param {boolean} fresh */
  const template = (fresh) => {
    const start = line;
    const text = take(TEMPLATE_PART);
    const ended = source[at] !== '$';
    at += ended ? 1 : 2;
    if (!ended) open.push('template');
    if (fresh && ended) add('string', text, start);
    else add('other', '`', start);
    afterOperand = ended;
  };

  while (at < source.length) {
    if (take(BLANK)) continue;
    const start = line;
    const word = take(WORD);
    if (word) {
      add('word', word);
      afterOperand = !BEFORE_OPERAND.test(word);
      continue;
    }
    const string = take(STRING);
    if (string) {
      add('string', string.slice(1, -1), start);
      afterOperand = true;
      continue;
    }
    if (afterOperand && take(POSTFIX)) continue;
    const character = source[at] ?? '';
    if (character === '/' && !afterOperand && take(REGEX)) {
      afterOperand = true;
      continue;
    }
    at += 1;
    if (character === '`') {
      template(true);
      continue;
    }
    if (character === '(' || character === '{' || character === '[') {
      const isCondition = character === '(' && BEFORE_CONDITION.test(tokens.at(-1)?.text ?? '');
      open.push(isCondition ? 'condition' : 'plain');
      afterOperand = false;
    } else if (character === ')' || character === '}' || character === ']') {
      const opened = open.pop();
      if (opened === 'template') {
        template(false);
        continue;
      }
      // A block or a condition is over: what follows begins a statement.
      afterOperand = character !== '}' && opened !== 'condition';
    } else {
      afterOperand = false;
    }
    add('other', character);
  }
  return tokens;
}
