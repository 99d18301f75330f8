/* libstdc++'s doubly linked lists: the operations of std::list on nodes. The list's own node precedes the first one. */
#include "stand_in.h"

struct list_node {
    struct list_node *next, *before;
};

/* Puts node before place. */
void STAND_IN(_ZNSt8__detail15_List_node_base7_M_hookEPS0_)(struct list_node *node, struct list_node *place) {
    struct list_node *left = place->before;
    node->next = place;
    node->before = left;
    left->next = node;
    place->before = node;
}

void STAND_IN(_ZNSt8__detail15_List_node_base9_M_unhookEv)(struct list_node *node) {
    struct list_node *left = node->before, *right = node->next;
    left->next = right;
    right->before = left;
}

/* Moves the nodes from `first` up to `last`, without `last`, to before `place`. */
void STAND_IN(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_)(struct list_node *place, struct list_node *first,
                                                                    struct list_node *last) {
    if (place == last)
        return;
    struct list_node *end = last->before, *left = first->before, *target = place->before;
    left->next = last;
    last->before = left;
    target->next = first;
    first->before = target;
    end->next = place;
    place->before = end;
}

void STAND_IN(_ZNSt8__detail15_List_node_base10_M_reverseEv)(struct list_node *list) {
    struct list_node *node = list;
    do {
        struct list_node *next = node->next;
        node->next = node->before;
        node->before = next;
        node = next;
    } while (node != list);
}

/* Called after the nodes of a list changed owner: updates the links of its neighbours. */
static void settle_list(struct list_node *list, const struct list_node *was, struct list_node *next,
                        struct list_node *before) {
    int is_empty = next == was;
    list->next = is_empty ? list : next;
    list->before = is_empty ? list : before;
    list->next->before = list;
    list->before->next = list;
}

void STAND_IN(_ZNSt8__detail15_List_node_base4swapERS0_S1_)(struct list_node *a, struct list_node *b) {
    struct list_node *next = a->next, *before = a->before;
    settle_list(a, b, b->next, b->before);
    settle_list(b, a, next, before);
}
