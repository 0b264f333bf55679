'use strict';
// tree(text): acorn's tree, in the form in which tests/drivers/js_tree.c prints the reader's.

const acorn = require('internal/deps/acorn/acorn/dist/acorn');

const MODULES = /^(node:)?(fs|os|path|util)$/;
const bare = (n) => (n && n.type === 'ParenthesizedExpression' ? bare(n.expression) : n);
const isRequired = (n) => n && n.type === 'CallExpression' && !n.optional && n.callee.type === 'Identifier' && n.callee.name === 'require' && n.arguments.length === 1 && text0(n.arguments[0]) !== null && MODULES.test(text0(n.arguments[0]));

// A literal string; null if it is none.
function text0(n) {
  n = bare(n);
  if (n.type === 'Literal' && typeof n.value === 'string') return n.value;
  if (n.type === 'TemplateLiteral' && n.expressions.length === 0) return n.quasis[0].value.cooked;
  return null;
}

// a - b * c as one chain, whatever the precedence; -(-x) as well.
function chain(n, type, operators) {
  if (n.type !== type || (operators && !operators.includes(n.operator))) return [n];
  return [...chain(n.left, type, operators), ...chain(n.right, type, operators)];
}

function show(n, source) {
  const all = (list) => list.map(one).join('');
  const form = (name, ...parts) => ` (${name}${parts.join('')})`;
  const flat = (s) => String(s).replace(/\n/g, ' ');

  function one(n) {
    if (!n) return '';
    switch (n.type) {
      case 'Program': case 'BlockStatement': case 'StaticBlock': return all(n.body);
      case 'ImportDeclaration': case 'EmptyStatement': case 'BreakStatement': case 'ContinueStatement': return '';
      case 'ExpressionStatement': return form(';', one(n.expression));
      case 'VariableDeclaration': return all(n.declarations);
      case 'VariableDeclarator':
        if (!isRequired(n.init)) return one(n.id) + one(n.init);
        return n.id.type === 'Identifier' ? one(n.id) : '';
      case 'IfStatement': return form('look', one(n.test)) + one(n.consequent) + one(n.alternate);
      case 'WhileStatement': return form('look', one(n.test)) + one(n.body);
      case 'DoWhileStatement': return one(n.body) + form('look', one(n.test));
      case 'ForStatement': {
        const look = (p) => (p ? (p.type === 'VariableDeclaration' ? one(p) : form('look', one(p))) : '');
        return look(n.init) + look(n.test) + look(n.update) + one(n.body);
      }
      case 'ForOfStatement': case 'ForInStatement': return one(n.left) + one(n.right) + one(n.body);
      case 'SwitchStatement': return form('look', one(n.discriminant)) + n.cases.map((c) => (c.test ? form('look', one(c.test)) : '') + all(c.consequent)).join('');
      case 'TryStatement': return one(n.block) + (n.handler ? one(n.handler.param) + one(n.handler.body) : '') + one(n.finalizer);
      case 'ReturnStatement': return n.argument ? form('return', one(n.argument)) : '';
      case 'ThrowStatement': return form('return', one(n.argument));
      case 'FunctionDeclaration': case 'FunctionExpression': case 'ArrowFunctionExpression': {
        const params = n.params.map((p) => one(p.type === 'RestElement' ? p.argument : p)).join('');
        return form('function', params, n.body.type === 'BlockStatement' ? one(n.body) : form('return', one(n.body)));
      }
      case 'ParenthesizedExpression': return one(n.expression);
      case 'ChainExpression': return one(n.expression);
      case 'Identifier': return ' ' + n.name;
      case 'Literal':
        if (n.regex) return ' /';
        if (typeof n.value === 'string') return " '";
        return typeof n.value === 'number' ? ' ' + n.raw : ' constant';
      case 'TemplateLiteral': return n.expressions.length ? form('look', all(n.expressions)) : " '";
      case 'ArrayExpression': case 'ArrayPattern': return form('array', all(n.elements));
      case 'ObjectExpression': case 'ObjectPattern': return form('object', all(n.properties));
      case 'Property': {
        if (n.computed) return form('[]:', one(n.key), one(n.value));
        const key = n.key.type === 'Identifier' ? n.key.name : typeof n.key.value === 'number' ? n.key.raw : n.key.value;
        return form(':' + flat(key), one(n.value));
      }
      case 'SpreadElement': case 'RestElement': return form('...', one(n.argument));
      case 'AssignmentPattern': return form('==', one(n.left), one(n.right));
      case 'AssignmentExpression': return form('=' + n.operator, one(n.left), one(n.right));
      case 'UpdateExpression': return form('++', one(n.argument));
      case 'UnaryExpression': { let inner = n; while (inner.type === 'UnaryExpression') inner = inner.argument; return form('look', one(inner)); }
      case 'BinaryExpression': return form('look', all(chain(n, n.type)));
      case 'LogicalExpression': {
        const parts = chain(n, n.type, [n.operator]);
        const last = parts.length - 1;
        return form('choice', parts.map((p, i) => (n.operator === '&&' && i < last ? form('look', one(p)) : one(p))).join(''));
      }
      case 'ConditionalExpression': return form('choice', form('look', one(n.test)), one(n.consequent), one(n.alternate));
      case 'SequenceExpression': return form('choice', n.expressions.map((p, i, l) => (i < l.length - 1 ? form('look', one(p)) : one(p))).join(''));
      case 'CallExpression': return form('call', one(n.callee), all(n.arguments));
      case 'NewExpression': return form('new', one(n.callee), all(n.arguments));
      case 'MemberExpression': {
        if (!n.computed) return form('.' + n.property.name, one(n.object));
        const key = text0(n.property);
        return key === null || /\\/.test(source.slice(n.property.start, n.property.end)) ? form('[]', one(n.object), one(n.property)) : form('.' + flat(key), one(n.object));
      }
      default: return ' ?' + n.type;
    }
  }
  return one(n);
}

function tree(text) {
  const sourceType = /\bimport\b/.test(text) ? 'module' : 'script';
  return show(acorn.parse(text, { ecmaVersion: 2022, sourceType, preserveParens: true }), text);
}

module.exports = { tree };
