/* libstdc++'s red-black trees (std::map, std::set): steps in order, insertion, removal.
 *
 * Nodes have the layout of <bits/stl_tree.h>. The header of a tree is a node too: its parent is the root, its left and
 * right child are the first and the last node, and the root's parent is the header. A tree may be balanced here and by
 * the library in turns, since both keep the rules (Guibas and Sedgewick 1978): children of red nodes are black, and all
 * paths down from a node have the same number of black nodes.
 */
#include "stand_in.h"

enum { RED, BLACK };

struct tree_node {
    int color;
    struct tree_node *parent, *left, *right;
};
typedef struct tree_node tree_node;

static tree_node *first_below(tree_node *n) {
    while (n->left)
        n = n->left;
    return n;
}

static tree_node *last_below(tree_node *n) {
    while (n->right)
        n = n->right;
    return n;
}

static int is_black(const tree_node *n) { return !n || n->color == BLACK; }

/* -- steps */

static tree_node *tree_next(tree_node *n) {
    if (n->right)
        return first_below(n->right);
    tree_node *up = n->parent;
    while (n == up->right) {
        n = up;
        up = up->parent;
    }
    return n->right == up ? n : up; /* from the last node to the header, also if the root is the last node */
}

static tree_node *tree_before(tree_node *n) {
    if (n->color == RED && n->parent->parent == n)
        return n->right; /* the header */
    if (n->left)
        return last_below(n->left);
    tree_node *up = n->parent;
    while (n == up->left) {
        n = up;
        up = up->parent;
    }
    return up;
}

tree_node *STAND_IN(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)(tree_node *n) { return tree_next(n); }
tree_node *STAND_IN(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)(tree_node *n) { return tree_next(n); }
tree_node *STAND_IN(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)(tree_node *n) { return tree_before(n); }
tree_node *STAND_IN(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)(tree_node *n) { return tree_before(n); }

/* -- rotations */

/* Puts other where n hangs in its parent. */
static void replace_in_tree(tree_node *n, tree_node *other, tree_node *header) {
    tree_node *up = n->parent;
    if (up == header)
        header->parent = other;
    else if (up->left == n)
        up->left = other;
    else
        up->right = other;
    if (other)
        other->parent = up;
}

static void rotate_tree_left(tree_node *n, tree_node *header) {
    tree_node *up = n->right;
    n->right = up->left;
    if (up->left)
        up->left->parent = n;
    replace_in_tree(n, up, header);
    up->left = n;
    n->parent = up;
}

static void rotate_tree_right(tree_node *n, tree_node *header) {
    tree_node *up = n->left;
    n->left = up->right;
    if (up->right)
        up->right->parent = n;
    replace_in_tree(n, up, header);
    up->right = n;
    n->parent = up;
}

/* -- insertion */

static void hang_in_tree(_Bool left, tree_node *n, tree_node *up, tree_node *header) {
    n->parent = up;
    n->left = n->right = 0;
    n->color = RED;
    if (up == header) {
        header->parent = header->left = header->right = n;
    } else if (left) {
        up->left = n;
        if (up == header->left)
            header->left = n;
    } else {
        up->right = n;
        if (up == header->right)
            header->right = n;
    }
}

void STAND_IN(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)(_Bool left, tree_node *n,
                                                                                 tree_node *up, tree_node *header) {
    hang_in_tree(left, n, up, header);
    while (n != header->parent && n->parent->color == RED) {
        tree_node *parent = n->parent, *grandparent = parent->parent;
        int at_left = parent == grandparent->left;
        tree_node *uncle = at_left ? grandparent->right : grandparent->left;
        if (!is_black(uncle)) {
            parent->color = uncle->color = BLACK;
            grandparent->color = RED;
            n = grandparent;
        } else if (at_left) {
            if (n == parent->right) {
                rotate_tree_left(parent, header);
                parent = n;
            }
            parent->color = BLACK;
            grandparent->color = RED;
            rotate_tree_right(grandparent, header);
            break;
        } else {
            if (n == parent->left) {
                rotate_tree_right(parent, header);
                parent = n;
            }
            parent->color = BLACK;
            grandparent->color = RED;
            rotate_tree_left(grandparent, header);
            break;
        }
    }
    header->parent->color = BLACK;
}

/* -- removal */

/* Paths through n (which may be null, below up) lack a black node. */
static void restore_tree(tree_node *n, tree_node *up, tree_node *header) {
    while (n != header->parent && is_black(n)) {
        int at_left = n == up->left;
        tree_node *sibling = at_left ? up->right : up->left;
        if (sibling->color == RED) {
            sibling->color = BLACK;
            up->color = RED;
            if (at_left)
                rotate_tree_left(up, header);
            else
                rotate_tree_right(up, header);
            sibling = at_left ? up->right : up->left;
        }
        if (is_black(sibling->left) && is_black(sibling->right)) {
            sibling->color = RED;
            n = up;
            up = up->parent;
            continue;
        }
        if (at_left) {
            if (is_black(sibling->right)) {
                sibling->left->color = BLACK;
                sibling->color = RED;
                rotate_tree_right(sibling, header);
                sibling = up->right;
            }
            sibling->right->color = BLACK;
        } else {
            if (is_black(sibling->left)) {
                sibling->right->color = BLACK;
                sibling->color = RED;
                rotate_tree_left(sibling, header);
                sibling = up->left;
            }
            sibling->left->color = BLACK;
        }
        sibling->color = up->color;
        up->color = BLACK;
        if (at_left)
            rotate_tree_left(up, header);
        else
            rotate_tree_right(up, header);
        return;
    }
    if (n)
        n->color = BLACK;
}

/* Puts the next node in order, which has no left child, in the place of n, with its color. Returns where a black node
 * is missing then. */
static tree_node *put_next_in_place(tree_node *n, tree_node *header, tree_node **up) {
    tree_node *heir = first_below(n->right), *orphan = heir->right;
    *up = heir;
    if (heir != n->right) {
        *up = heir->parent;
        replace_in_tree(heir, orphan, header);
        heir->right = n->right;
        heir->right->parent = heir;
    }
    replace_in_tree(n, heir, header);
    heir->left = n->left;
    heir->left->parent = heir;
    int color = heir->color;
    heir->color = n->color;
    n->color = color;
    return orphan;
}

/* Returns the node that is out of the tree. */
tree_node *STAND_IN(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(tree_node *n, tree_node *header) {
    if (n == header->left)
        header->left = n->right ? first_below(n->right) : n->parent;
    if (n == header->right)
        header->right = n->left ? last_below(n->left) : n->parent;
    tree_node *up = n->parent, *orphan = n->left ? n->left : n->right;
    if (n->left && n->right)
        orphan = put_next_in_place(n, header, &up);
    else
        replace_in_tree(n, orphan, header);
    if (n->color == BLACK)
        restore_tree(orphan, up, header);
    return n;
}
