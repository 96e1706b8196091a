import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairMojibake, repairWords, windows1252Byte, windows1252Text } from '../../src/text/mojibake.ts';
import { anyText, runs, validText } from './arbitraries.ts';

const misread = (text: string, as: 'windows-1252' | 'latin1') =>
  as === 'latin1'
    ? Buffer.from(text, 'utf8').toString('latin1')
    : new TextDecoder(as).decode(Buffer.from(text, 'utf8'));

describe('repairMojibake', () => {
  it.each([
    ['hÃ¸jesteret', 'højesteret'],
    ['hÃƒÂ¸jesteret', 'højesteret'],
    ['itâ€™s', 'it’s'],
    ['itâ\u0080\u0099s', 'it’s'],
    ['itÃ¢â‚¬â„¢s', 'it’s'],
    ['KrakÃ³w', 'Kraków'],
    ['WaÅ‚Ä™sa', 'Wałęsa'],
    ['sÄ…d', 'sąd'],
    ['KÃ–LN', 'KÖLN'],
    ['CAFÃ‰', 'CAFÉ'],
    ['10Â°C', '10°C'],
    ['cafÃ©Â\u00a0noir', 'café\u00a0noir'],
    ['ÐœÐ¾Ñ\u0081ÐºÐ²Ð°', 'Москва'],
    ['Viá»‡t Nam', 'Việt Nam'],
    ['aceÈ™ti', 'acești'],
    ['ðŸ˜€', '😀'],
    ['à¤¹à¥ˆ', 'है'],
    ['a â€” b', 'a — b'],
    ['ï»¿text', '\ufefftext'],
    // Control characters give it away even where the letter would not.
    ['É\u0080', 'ɀ'],
    ['É\u009f', 'ɟ'],
  ])('turns %j into %j', (misreadText, meant) => {
    expect(repairMojibake(misreadText)).toBe(meant);
  });

  it.each([
    '',
    'plain ASCII, (c) 2024',
    'Ãvila',
    'São Paulo',
    'SÃO',
    'Ñandú',
    'højesteret',
    'naïve café, “quoted” – it’s fine…',
    'Ärger über Öl',
    '£5 ½ ° ©',
    'CAFÉ”',
    'BEYONCÉ’S',
    'AMANHÃ”',
    'IRMÃ\u00a0',
    'Spaß…',
    'groß–klein',
    'voilà»…',
    'Nescafé®’s',
    '30 Å²',
    '2 Å–3',
    'È…vero',
    'É\u00a0',
    '“Ã”',
    'Kraków, Łódź',
    'सिरदर्द',
    '😀',
    '\ud83d',
    'a\u2028b',
    // Valid in part only: nobody knows what the rest was.
    'hÃ¸jesteret São',
    'hÃ¸jesteret 😀',
    'hÃ',
    // Overlong, a surrogate, beyond the last code point, cut short.
    'à€€',
    'aí\u00a0€',
    'ôŸ¿¿',
    'hÃ¸\u0080',
    'hÃ¸í¿¿',
    'hÃ¸í\u00a0\u0080',
    'hÃ¸±€€€',
    'hÃ¸õ€€€',
    'hÃ¸Á¿',
    'â€',
  ])('leaves %j alone', (text) => {
    expect(repairMojibake(text)).toBe(text);
  });

  it('restores texts of many languages, misread once or twice', () => {
    const meant = [
      'Højesteret afsagde dom i går; sagsøgeren fik ikke medhold.',
      'Der Kläger wohnt in der Größestraße – „gut“, sagte er.',
      'L’arrêt de la Cour européenne a été rendu à Strasbourg.',
      'Sąd Najwyższy w Łodzi uznał skargę za zasadną.',
      'Суд первой инстанции отклонил жалобу.',
      'मुझे आज सुबह से तेज़ सिरदर्द है।',
      '今日は頭が痛いです。',
      'Slept badly 😴 but happy ❤️',
    ];
    for (const text of meant) {
      for (const as of ['windows-1252', 'latin1'] as const) {
        expect(repairMojibake(misread(text, as))).toBe(text);
        expect(repairMojibake(misread(misread(text, as), as))).toBe(text);
        expect(repairMojibake(text)).toBe(text);
      }
    }
  });

  it.each([0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff])(
    'reads sequences up to U+%x',
    (codePoint) => {
      const meant = `é${String.fromCodePoint(codePoint)}`;
      expect(repairMojibake(misread(meant, 'latin1'))).toBe(meant);
    },
  );

  it('changes nothing more when done twice', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = repairMojibake(text);
        expect(repairMojibake(once)).toBe(once);
      }),
      runs,
    );
  });

  it('restores or leaves alone, but never makes up a third text', () => {
    fc.assert(
      fc.property(validText, (text) => {
        fc.pre(repairMojibake(text) === text);
        const wrong = misread(text, 'latin1');
        expect([text, wrong]).toContain(repairMojibake(wrong));
      }),
      runs,
    );
  });
});

describe('repairWords', () => {
  it('repairs each word of a document by itself, and leaves what is right', () => {
    const text = 'I hÃ¸jesteret 😀 og São Paulo:\nitÃ¢â‚¬â„¢s naÃ¯ve.';
    expect(repairMojibake(text)).toBe(text);
    expect(repairWords(text)).toMatchObject({ text: 'I højesteret 😀 og São Paulo:\nit’s naïve.' });
  });

  it('says where each place of the text has gone, also after two rounds', () => {
    const text = 'aÃ¸b itÃ¢â‚¬â„¢s ok';
    const repaired = repairWords(text)!;
    expect(repaired.text).toBe('aøb it’s ok');
    const places = Array.from({ length: text.length + 1 }, (_, at) => repaired.placeOf(at));
    // Two units are ø, eight are the apostrophe.
    expect(places).toEqual([0, 1, -1, 2, 3, 4, 5, 6, -1, -1, -1, -1, -1, -1, -1, 7, 8, 9, 10, 11]);
  });

  it.each(['', 'plain', 'Ärger über Öl, naïve café “quoted”', 'CAFÉ” AMANHÃ” Spaß…', 'सिरदर्द 😀'])(
    'finds nothing in %j',
    (text) => {
      expect(repairWords(text)).toBeNull();
    },
  );

  it('gives every character its place: slices of the repaired text are the repaired slices', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('højesteret', 'Kraków', '😀', 'São', 'plain', 'itâ€™s'), { maxLength: 6 }),
        (words) => {
          const broken = words.map((word) => (/[øó]/.test(word) ? misread(word, 'windows-1252') : word));
          const text = broken.join(' ');
          const repaired = repairWords(text);
          let at = 0;
          for (const [index, word] of broken.entries()) {
            const [start, end] = [at, at + word.length].map((place) => repaired?.placeOf(place) ?? place);
            expect((repaired?.text ?? text).slice(start, end)).toBe(repairMojibake(words[index]!));
            at += word.length + 1;
          }
        },
      ),
      runs,
    );
  });
});

describe('windows1252Text', () => {
  it('reads each byte as the character that it stands for, and those that stand for none as themselves', () => {
    expect(windows1252Text('\x80 \x8a \x93\x94 \x9f \xe9 a')).toBe('€ Š “” Ÿ é a');
    expect(windows1252Text('\x81\x8d\x8f\x90\x9d')).toBe('\x81\x8d\x8f\x90\x9d');
    const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('');
    expect([...windows1252Text(bytes)].map((unit) => windows1252Byte(unit.charCodeAt(0)))).toEqual([
      ...Array(256).keys(),
    ]);
  });
});

describe('windows1252Byte', () => {
  it('turns round the WHATWG decoder, byte for byte', () => {
    const decoder = new TextDecoder('windows-1252');
    for (let byte = 0; byte <= 0xff; byte += 1) {
      expect(windows1252Byte(decoder.decode(Uint8Array.of(byte)).charCodeAt(0))).toBe(byte);
    }
  });

  it('turns round Latin-1, which has control characters at 80 to 9F', () => {
    expect(windows1252Byte(0x80)).toBe(0x80);
    expect(windows1252Byte(0x99)).toBe(0x99);
  });

  it('is -1 for what neither has', () => {
    expect(windows1252Byte('Ł'.charCodeAt(0))).toBe(-1);
    expect(windows1252Byte('क'.charCodeAt(0))).toBe(-1);
    expect(windows1252Byte(0xd83d)).toBe(-1);
  });
});
